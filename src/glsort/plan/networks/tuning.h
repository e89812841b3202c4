#pragma once

#include <glsort/plan/sort_frame.h>
#include <glsort/plan/tuning.h>

#include <cstdint>

namespace glsort::networks {

/// The values of `bitonic:local`. Other networks have no tuning. See section "In shared memory" of "Bitonic network" in
/// docs/experiments.md. The defaults are measured on H100 and H200. All are powers of two.
struct Tuning {
    /// Elements of a tile, 4 to `max_tile`, if the request has no tile size.
    std::uint32_t tile = 4096;
    /// Max elements of a requested tile.
    std::uint32_t max_tile = 1u << 16;
    /// Elements that an invocation holds in registers. With 16 elements, too few invocations fit on a multiprocessor.
    std::uint32_t elements = 8;
    /// Elements per invocation if a tile needs more invocations than a group may have.
    std::uint32_t max_elements = 16;
    /// Max elements per invocation if keys are looked up. Every comparator then looks keys up. 16 elements take a
    /// hundred comparators, which compile slowly.
    std::uint32_t looked_up_elements = 8;
};

extern const TuningTable<Tuning> tuning_table;
extern const TuningFamily tuning_family;

/// The values for the frame's device.
inline const Tuning& tuning_of(const SortFrame& frame) {
    return tuning_table[frame.tuning_row()];
}

}  // namespace glsort::networks
