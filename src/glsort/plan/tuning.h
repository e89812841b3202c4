#pragma once

#include <glsort/base/browser.h>
#include <glsort/planner.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Tuning: values that change how fast a sort is, and never its result. Each family of algorithms has its own table,
/// `plan/FAMILY/tuning.h`, with one row for each kind of device. An algorithm reads the values of one row, and reduces
/// values that exceed the device's limits.

namespace glsort {

/// The kinds of device. Each is a row of the tuning tables.
enum class TuningRow {
    software,     ///< A software rasteriser.
    known_gpu,    ///< A GPU whose driver reports its multiprocessors, as NVIDIA's does. The values are measured.
    unknown_gpu,  ///< Any other GPU. Nobody has measured values there.
};

/// The row for a device.
TuningRow tuning_row(const Limits& limits);
/// The limits that decided the row, as text: `software is yes`.
std::string reason_for_row(const Limits& limits);
/// `software rasteriser`, `known GPU` or `unknown GPU`.
std::string_view to_string(TuningRow row);

/// A value that only the device limits.
inline constexpr std::uint32_t as_device_allows = std::numeric_limits<std::uint32_t>::max();

/// The tuning values of a family, one row for each kind of device.
template <class Tuning>
struct TuningTable {
    Tuning software;
    Tuning known_gpu;
    Tuning unknown_gpu;

    constexpr const Tuning& operator[](TuningRow row) const {
        return row == TuningRow::software ? software : row == TuningRow::known_gpu ? known_gpu : unknown_gpu;
    }
};

/// A value of tuning that a request may set. 0: not set.
struct AskedValue {
    std::string_view name;  ///< In messages.
    std::uint32_t (*of)(const Tuning& tuning) = nullptr;
    bool (*read_by)(const Takes& takes) = nullptr;
    /// The largest value for a variant. Null: only the device sets a limit.
    std::uint32_t (*limit)(const Takes& takes) = nullptr;
};

/// Returns the values of a row, for printing.
using PrintedValues = std::vector<TuningReport::Value> (*)(TuningRow row);

/// A family's tuning values.
struct TuningFamily {
    std::string_view name;           ///< The name of the family's folder in `plan/`.
    PrintedValues values = nullptr;  ///< Null in browsers, where nobody prints tuning.
    std::span<const AskedValue> asked = {};
};

}  // namespace glsort
