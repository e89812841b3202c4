#include "bench_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/timing.h"

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

constexpr std::size_t columns = 14;

// Algorithm, backend, io, distribution and verdict are aligned to the left, numbers to the right. Remarks come last.
std::string line_of(const std::array<std::string, columns>& cells) {
    constexpr std::size_t first_number = 5;
    const std::array<std::size_t, columns> widths = {
        longest(algorithm_names()), 8, 7, longest(distribution_names()), 12, 10, 11, 9, 9, 7, 8, 8, 13, 0};
    std::string text;
    for (std::size_t i = 0; i < columns; ++i)
        text += i < first_number ? fmt::format("{:<{}}  ", cells[i], widths[i])
                                 : fmt::format("{:>{}}  ", cells[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

std::string number_or_dash(const std::optional<double>& number, const char* form) {
    return number ? fmt::format(fmt::runtime(form), *number) : "-";
}

double mitems_per_s(double n, double ms) {
    return ms > 0 ? 1e-3 * n / ms : 0;
}

// What a paper reports: `Table 2, GeForce 6800 Ultra: 530 to 716 ms`.
std::string figure_text(const PaperFigure& figure) {
    const PaperTime& time = figure.time;
    const std::string ms = time.most_ms <= 0              ? "a curve without numbers"
                           : time.least_ms < time.most_ms ? fmt::format("{:g} to {:g} ms", time.least_ms, time.most_ms)
                                                          : fmt::format("{:.4g} ms", time.most_ms);
    return fmt::format("{}, {}, {}, {}: {}", figure.source.paper, figure.source.where, figure.sort, figure.hardware,
                       ms);
}

nlohmann::ordered_json figure_json(const PaperFigure& figure) {
    const PaperTime& time = figure.time;
    nlohmann::ordered_json json;
    json["paper"] = figure.source.paper;
    json["where"] = figure.source.where;
    json["section"] = figure.source.section;
    json["hardware"] = figure.hardware;
    json["sort"] = figure.sort;
    const bool has_numbers = time.most_ms > 0;
    json["least_ms"] = has_numbers ? nlohmann::ordered_json(time.least_ms) : nullptr;
    json["most_ms"] = has_numbers ? nlohmann::ordered_json(time.most_ms) : nullptr;
    return json;
}

// What does not fit a column.
std::string remarks(const BenchRow& row) {
    std::vector<std::string> parts;
    for (const std::string& part : {row.scene.text(), row.version})
        if (!part.empty()) parts.push_back(part);
    for (const PaperFigure& figure : row.of.theirs)
        parts.push_back("paper: " + figure_text(figure));
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string in_quotes(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

}  // namespace

double BenchRow::median_ms() const {
    return median(ms);
}

double BenchRow::mitems_per_s() const {
    return demo::mitems_per_s(of.n, median_ms());
}

std::optional<double> BenchRow::copy_gb_per_s() const {
    if (!copy_ms || *copy_ms <= 0) return std::nullopt;
    return 2e-6 * static_cast<double>(record_bytes) / *copy_ms;
}

std::optional<double> BenchRow::fraction_of_copy() const {
    if (!copy_ms || *copy_ms <= 0 || median_ms() <= 0) return std::nullopt;
    return *copy_ms / median_ms();
}

nlohmann::ordered_json to_json(const BenchRow& row) {
    const ItemOptions& items = row.of.items;
    nlohmann::ordered_json json;
    json["algorithm"] = row.algorithm;
    json["variant"] = row.variant;
    json["backend"] = backend_name(row.of);
    json["io"] = to_string(row.of.io);
    json["n"] = row.of.n;
    json["key"] = to_string(items.key);
    json["payload"] = to_string(items.payload);
    json["order"] = to_string(items.order);
    json["layout"] = to_string(layout_of(items, {row.algorithm, row.variant}));
    json["distribution"] = distribution_name(row.of.distribution);
    json["seed"] = items.seed;
    json["count_on"] = row.scene.gpu_count ? "gpu" : "cpu";
    json["sources"] = row.scene.is_scene() ? row.scene.sources_or_one() : 0;
    json["computed_keys"] = row.scene.computed_keys;
    json["visible"] = row.scene.visible.value_or(1);
    json["median_ms"] = row.median_ms();
    json["mitems_per_s"] = row.mitems_per_s();
    json["copy_gb_per_s"] = or_null(row.copy_gb_per_s());
    json["fraction_of_copy"] = or_null(row.fraction_of_copy());
    json["cpu_us_per_call"] = or_null(row.cpu_us_per_call);
    json["cpu_us_per_call_caller_resets"] = or_null(row.cpu_us_per_call_caller_resets);
    json["comparisons"] = or_null(row.comparisons);
    json["verified"] = or_null(row.verified);
    json["repetitions"] = row.ms.size();
    json["timer"] = row.timer;
    json["state"] = or_null(row.state);
    json["renderer"] = or_null(row.renderer);
    json["version"] = or_null(row.version);
    json["asked"] = asked_name(row.of);
    json["ms"] = nlohmann::ordered_json::array();
    // Whole nanoseconds, as clocks and queries give them.
    for (const double ms : row.ms)
        json["ms"].push_back(std::round(1e6 * ms) / 1e6);
    json["theirs"] = nlohmann::ordered_json::array();
    for (const PaperFigure& figure : row.of.theirs)
        json["theirs"].push_back(figure_json(figure));
    return json;
}

std::string identity_of(const nlohmann::ordered_json& row) {
    std::string text;
    for (const char* member : {"asked", "backend", "io", "n", "key", "payload", "order", "distribution"})
        text += row.at(member).dump() + " ";
    return text;
}

std::string identity_of(const Measurement& measurement) {
    BenchRow row;
    row.of = measurement;
    return identity_of(to_json(row));
}

std::string to_text(const BenchRow& row) {
    const std::string scene = row.scene.text().empty() ? "" : " (" + row.scene.text() + ")";
    std::string text = fmt::format("{} {} {} n={} {}{}: {:.3f} ms, {:.3f} Mitems/s", program(row), backend_name(row.of),
                                   to_string(row.of.io), row.of.n, distribution_name(row.of.distribution), scene,
                                   row.median_ms(), row.mitems_per_s());
    if (const std::optional<double> fraction = row.fraction_of_copy())
        text += fmt::format(", {:.1f} % of the copy's {:.4g} GB/s", 100 * *fraction, *row.copy_gb_per_s());
    if (row.cpu_us_per_call) text += fmt::format(", {:.1f} us of CPU a call", *row.cpu_us_per_call);
    if (!row.version.empty()) text += ", " + row.version;
    for (const PaperFigure& figure : row.of.theirs)
        text += "; paper: " + figure_text(figure);
    return fmt::format("{}, {}\n", text, verdict(row));
}

std::string table_heading() {
    return line_of({"algorithm", "backend", "io", "distribution", "", "n", "ms", "Mitems/s", "copy GB/s", "of copy",
                    "CPU us", "resets", "comparisons", ""});
}

std::string to_table_line(const BenchRow& row) {
    std::optional<double> percent = row.fraction_of_copy();
    if (percent) *percent *= 100;
    return line_of({program(row), std::string(backend_name(row.of)), std::string(to_string(row.of.io)),
                    std::string(distribution_name(row.of.distribution)), std::string(verdict(row)),
                    fmt::format("{}", row.of.n), fmt::format("{:.3f}", row.median_ms()),
                    fmt::format("{:.3f}", row.mitems_per_s()), number_or_dash(row.copy_gb_per_s(), "{:.4g}"),
                    number_or_dash(percent, "{:.1f} %"), number_or_dash(row.cpu_us_per_call, "{:.1f}"),
                    number_or_dash(row.cpu_us_per_call_caller_resets, "{:.1f}"),
                    row.comparisons ? fmt::format("{}", *row.comparisons) : "-", remarks(row)});
}

std::string csv_heading() {
    const nlohmann::ordered_json json = to_json(BenchRow{});
    std::string line;
    for (const auto& [name, value] : json.items())
        if (!value.is_array()) line += (line.empty() ? "" : ",") + name;
    return line + "\n";
}

std::string to_csv_line(const BenchRow& row) {
    const nlohmann::ordered_json json = to_json(row);
    std::string line;
    bool first = true;
    for (const auto& [name, value] : json.items()) {
        if (value.is_array()) continue;
        if (!first) line += ",";
        first = false;
        if (value.is_null()) continue;
        line += value.is_string() ? in_quotes(value.get<std::string>()) : value.dump();
    }
    return line + "\n";
}

}  // namespace glsort::demo
