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

// `null` if there is no value.
template <class T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json or_null(const std::string& text) {
    return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

std::size_t longest(const std::vector<std::string>& words) {
    std::size_t most = 0;
    for (const std::string& word : words)
        most = std::max(most, word.size());
    return most;
}

constexpr std::size_t columns = 12;

// Algorithm, backend, io, distribution and verdict are aligned to the left, numbers to the right. The scene comes last.
std::string line_of(const std::array<std::string, columns>& cells) {
    constexpr std::size_t first_number = 5;
    const std::array<std::size_t, columns> widths = {
        longest(algorithm_names()), 8, 7, longest(distribution_names()), 12, 10, 11, 9, 8, 8, 13, 0};
    std::string text;
    for (std::size_t i = 0; i < columns; ++i)
        text += i < first_number ? fmt::format("{:<{}}  ", cells[i], widths[i])
                                 : fmt::format("{:>{}}  ", cells[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

std::string in_quotes(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
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
    json["count_on"] = row.scene.gpu_count ? "gpu" : "cpu";
    json["sources"] = row.scene.is_scene() ? row.scene.sources_or_one() : 0;
    json["computed_keys"] = row.scene.computed_keys;
    json["visible"] = row.scene.visible;
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
    const std::string scene = row.scene.text().empty() ? "" : " (" + row.scene.text() + ")";
    return fmt::format("{} {} {} n={} {}{}: {:.3f} ms, {:.3f} Mitems/s, {:.1f} us of CPU a call, {}\n", program(row),
                       to_string(row.backend), to_string(row.io), row.n, distribution_name(row.distribution), scene,
                       row.median_ms, row.mitems_per_s(), row.cpu_us_per_call, verdict(row));
}

std::string table_heading() {
    return line_of({"algorithm", "backend", "io", "distribution", "", "n", "ms", "Mitems/s", "CPU us", "resets",
                    "comparisons", ""});
}

std::string to_table_line(const BenchRow& row) {
    return line_of({program(row), std::string(to_string(row.backend)), std::string(to_string(row.io)),
                    std::string(distribution_name(row.distribution)), std::string(verdict(row)),
                    fmt::format("{}", row.n), fmt::format("{:.3f}", row.median_ms),
                    fmt::format("{:.3f}", row.mitems_per_s()), fmt::format("{:.1f}", row.cpu_us_per_call),
                    row.cpu_us_per_call_caller_resets ? fmt::format("{:.1f}", *row.cpu_us_per_call_caller_resets) : "-",
                    row.comparisons ? fmt::format("{}", *row.comparisons) : "-", row.scene.text()});
}

std::string csv_heading() {
    const nlohmann::ordered_json json = to_json(BenchRow{});
    std::string line;
    for (const auto& [name, value] : json.items())
        line += (line.empty() ? "" : ",") + name;
    return line + "\n";
}

std::string to_csv_line(const BenchRow& row) {
    const nlohmann::ordered_json json = to_json(row);
    std::string line;
    bool first = true;
    for (const auto& [name, value] : json.items()) {
        if (!first) line += ",";
        first = false;
        if (value.is_null()) continue;
        line += value.is_string() ? in_quotes(value.get<std::string>()) : value.dump();
    }
    return line + "\n";
}

}  // namespace glsort::demo
