#pragma once

#include <glsort/spec.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "options.h"
#include "scene_options.h"

namespace glsort::demo {

/// One measurement of bench.
struct BenchRow {
    std::string algorithm;
    std::string variant;
    Backend backend = Backend::cpu;
    Medium io = Medium::buffer;  ///< On the cpu: host memory.
    std::size_t n = 0;
    Distribution distribution = Distribution::uniform;
    ItemOptions items;
    SceneOptions scene;
    std::string renderer;  ///< Empty on the cpu.
    std::string state;     ///< `restore` or `caller-resets`; empty on the cpu.
    std::string timer;     ///< `queries` or `clock`.
    double median_ms = 0;
    std::size_t repetitions = 0;
    /// Microseconds of CPU time that a call of sort() takes.
    double cpu_us_per_call = 0;
    std::optional<double> cpu_us_per_call_caller_resets;  ///< Not on the cpu.
    std::optional<std::uint64_t> comparisons;             ///< By the cpu backend only.
    std::optional<bool> verified;                         ///< Empty: not verified.

    double mitems_per_s() const;
};

nlohmann::ordered_json to_json(const BenchRow& row);

/// One line: `bitonic:step fragment texture n=65536 uniform: 12.345 ms, ...`.
std::string to_text(const BenchRow& row);

/// A line of columns, and the heading. The columns are wide enough for any row. A row can therefore be written before
/// the next row is known.
std::string to_table_line(const BenchRow& row);
std::string table_heading();

/// Comma-separated values with the fields of the JSON (RFC 4180).
std::string to_csv_line(const BenchRow& row);
std::string csv_heading();

}  // namespace glsort::demo
