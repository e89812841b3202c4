#pragma once

#include <glsort/spec.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "measurement.h"
#include "options.h"
#include "scene_options.h"

namespace glsort::demo {

/// The result of a measurement.
struct BenchRow {
    Measurement of;
    std::string algorithm;  ///< Resolved.
    std::string variant;
    SceneOptions scene;
    std::string version;                    ///< Of another library.
    std::string renderer;                   ///< Empty on the cpu.
    std::string state;                      ///< `restore` or `caller-resets`; empty on the cpu.
    std::string timer;                      ///< `queries`, `clock` or `events`.
    std::vector<double> ms;                 ///< Of each repetition.
    std::optional<double> cpu_us_per_call;  ///< Microseconds of CPU time that a call of sort() takes. Not on CUDA.
    std::optional<double> cpu_us_per_call_caller_resets;  ///< Not on the cpu.
    std::optional<std::uint64_t> comparisons;             ///< By the cpu backend only.
    std::optional<bool> verified;                         ///< Empty: not verified.
    /// Milliseconds of a copy of the records, on the device that sorts.
    std::optional<double> copy_ms;
    std::uint64_t record_bytes = 0;  ///< Of all records.

    double median_ms() const;
    double mitems_per_s() const;
    /// The rate of the copy in GB/s, of bytes read and bytes written.
    std::optional<double> copy_gb_per_s() const;
    /// The time of the copy as a fraction of the time of the sort.
    std::optional<double> fraction_of_copy() const;
};

nlohmann::ordered_json to_json(const BenchRow& row);

/// One line: `bitonic:step fragment texture n=65536 uniform: 12.345 ms, ...`.
std::string to_text(const BenchRow& row);

/// The members that say which measurement a row is the result of. Two rows of one run differ here.
std::string identity_of(const nlohmann::ordered_json& row);
/// The identity of the row that a measurement will give.
std::string identity_of(const Measurement& measurement);

/// A line of columns, and the heading. The columns are wide enough for any row. A row can therefore be written before
/// the next row is known.
std::string to_table_line(const BenchRow& row);
std::string table_heading();

/// Comma-separated values with the members of the JSON (RFC 4180), but for those that are lists.
std::string to_csv_line(const BenchRow& row);
std::string csv_heading();

}  // namespace glsort::demo
