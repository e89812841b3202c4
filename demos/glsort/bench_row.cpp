#include "bench_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace glsort::demo {
namespace {

std::string program(const BenchRow& row) {
    return row.variant.empty() ? row.algorithm : row.algorithm + ":" + row.variant;
}

std::string_view verdict(const BenchRow& row) {
    if (!row.verified) return "not verified";
    return *row.verified ? "verified" : "WRONG";
}

// `null` where there is no value.
template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json or_null(const std::string& text) {
    return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

}  // namespace

double BenchRow::mitems_per_s() const {
    return median_ms > 0 ? 1e-3 * static_cast<double>(n) / median_ms : 0;
}

nlohmann::ordered_json to_json(const BenchRow& row) {
    nlohmann::ordered_json json;
    json["algorithm"] = row.algorithm;
    json["variant"] = row.variant;
    json["backend"] = to_string(row.backend);
    json["io"] = to_string(row.io);
    json["n"] = row.n;
    json["key"] = to_string(row.items.key);
    json["payload"] = to_string(row.items.payload);
    json["order"] = to_string(row.items.order);
    json["layout"] = to_string(layout_of(row.items, {row.algorithm, row.variant}));
    json["distribution"] = distribution_name(row.distribution);
    json["seed"] = row.items.seed;
    json["median_ms"] = row.median_ms;
    json["mitems_per_s"] = row.mitems_per_s();
    json["cpu_us_per_call"] = row.cpu_us_per_call;
    json["cpu_us_per_call_caller_resets"] = or_null(row.cpu_us_per_call_caller_resets);
    json["comparisons"] = or_null(row.comparisons);
    json["verified"] = or_null(row.verified);
    json["repetitions"] = row.repetitions;
    json["timer"] = row.timer;
    json["state"] = or_null(row.state);
    json["renderer"] = or_null(row.renderer);
    return json;
}

std::string to_text(const BenchRow& row) {
    return fmt::format("{} {} {} n={} {}: {:.3f} ms, {:.3f} Mitems/s, {:.1f} us of CPU a call, {}\n", program(row),
                       to_string(row.backend), to_string(row.io), row.n, distribution_name(row.distribution),
                       row.median_ms, row.mitems_per_s(), row.cpu_us_per_call, verdict(row));
}

std::string to_table(const std::vector<BenchRow>& rows) {
    constexpr std::size_t columns = 11;
    constexpr std::size_t first_number = 5;  // these and those after it are aligned to the right
    using Line = std::array<std::string, columns>;
    std::vector<Line> lines;
    lines.push_back(
        {"algorithm", "backend", "io", "distribution", "", "n", "ms", "Mitems/s", "CPU us", "resets", "comparisons"});
    for (const BenchRow& row : rows)
        lines.push_back(
            {program(row), std::string(to_string(row.backend)), std::string(to_string(row.io)),
             std::string(distribution_name(row.distribution)), std::string(verdict(row)), fmt::format("{}", row.n),
             fmt::format("{:.3f}", row.median_ms), fmt::format("{:.3f}", row.mitems_per_s()),
             fmt::format("{:.1f}", row.cpu_us_per_call),
             row.cpu_us_per_call_caller_resets ? fmt::format("{:.1f}", *row.cpu_us_per_call_caller_resets) : "-",
             row.comparisons ? fmt::format("{}", *row.comparisons) : "-"});
    std::array<std::size_t, columns> widths{};
    for (const Line& line : lines)
        for (std::size_t i = 0; i < columns; ++i)
            widths[i] = std::max(widths[i], line[i].size());
    std::string text;
    for (const Line& line : lines) {
        for (std::size_t i = 0; i < columns; ++i)
            text += i < first_number ? fmt::format("{:<{}}  ", line[i], widths[i])
                                     : fmt::format("{:>{}}  ", line[i], widths[i]);
        text.erase(text.find_last_not_of(' ') + 1);
        text += "\n";
    }
    return text;
}

}  // namespace glsort::demo
