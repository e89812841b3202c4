#pragma once

#include <glsort/plan/sort_frame.h>
#include <glsort/plan/tuning.h>

#include <cstdint>

namespace glsort::networks {

/// The values of `bitonic:local`; other networks have none. Section "In shared memory" of "Bitonic network" in
/// docs/experiments.md. Defaults are those of the GPUs that are known, H100 and H200. All are powers of two.
struct Tuning {
    /// Elements of a tile, 4 to `most_tile`, where none are asked for.
    std::uint32_t tile = 4096;
    /// Elements of a tile that is asked for, at the most.
    std::uint32_t most_tile = 1u << 16;
    /// Records that an invocation has in registers. Of 16 records a GPU's multiprocessor has too few invocations.
    std::uint32_t elements = 8;
    /// The same where a tile takes more invocations than a group may have.
    std::uint32_t most_elements = 16;
    /// The same, at the most, where keys are looked up, in every comparator: of 16 records a hundred, which compile
    /// for long.
    std::uint32_t looked_up_elements = 8;
};

extern const TuningTable<Tuning> tuning_table;
extern const TuningFamily tuning_family;

/// The values of the row that the frame has.
inline const Tuning& tuning_of(const SortFrame& frame) {
    return tuning_table[frame.tuning_row()];
}

}  // namespace glsort::networks
