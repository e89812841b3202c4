#pragma once

#include <glsort/planner.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

/// Tuning: values that decide how fast a sort is, and never what it gives. Each family of algorithms has a table of its
/// own, `plan/FAMILY/tuning.h`, with a row for each kind of device. An algorithm reads the values of the row; what a
/// value exceeds of a device's limits it leaves out.

namespace glsort {

/// The kinds of device that tables have rows for.
enum class TuningRow {
    software,     ///< A software rasteriser.
    known_gpu,    ///< A GPU whose driver says how many multiprocessors it has: NVIDIA's, where values are measured.
    unknown_gpu,  ///< Any other GPU. Nobody has measured there.
};

/// The row for a device.
TuningRow tuning_row(const Limits& limits);
/// Which limits decided that, for people: `software is yes`.
std::string reason_for_row(const Limits& limits);
/// `software rasteriser`, `known GPU` or `unknown GPU`.
std::string_view to_string(TuningRow row);

/// Stands for a value that only the device bounds.
inline constexpr std::uint32_t as_device_allows = std::numeric_limits<std::uint32_t>::max();

/// What a family has measured.
template <class Tuning>
struct TuningTable {
    Tuning software;
    Tuning known_gpu;
    Tuning unknown_gpu;

    constexpr const Tuning& operator[](TuningRow row) const {
        return row == TuningRow::software ? software : row == TuningRow::known_gpu ? known_gpu : unknown_gpu;
    }
};

/// A family's values, to be printed.
struct TuningFamily {
    std::string_view name;  ///< Of its folder in `plan/`.
    std::vector<TuningReport::Value> (*values)(TuningRow row) = nullptr;
};

}  // namespace glsort
