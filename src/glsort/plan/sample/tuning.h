#pragma once

#include <glsort/plan/sort_frame.h>
#include <glsort/plan/tuning.h>

#include <cstdint>

namespace glsort::sample {

/// The values of the sample sorts. The sections are in docs/experiments.md, "Sample sort". Measured on H100 and H200.
/// All rows are equal, because nobody has measured other devices.
struct Tuning {
    // Tiles: powers of two. Section "From two levels to one".

    /// Min elements of a tile, if the request has no tile size.
    std::uint32_t min_tile = 512;
    /// Max elements of a tile. `largest_tile` applies if the elements are too many for an expected level.
    std::uint32_t max_tile = 4096;
    std::uint32_t largest_tile = 8192;
    /// The wanted min number of tiles. With few elements, smaller tiles keep more multiprocessors busy.
    std::uint32_t tiles = 128;
    /// Elements that an invocation sorts by merges: a power of two.
    std::uint32_t merged_elements = 8;
    /// Elements that an invocation sorts by digits, their max, and the min invocations of such a group. More elements
    /// than the max need more registers than there are.
    std::uint32_t ranked_elements = 8;
    std::uint32_t max_ranked_elements = 16;
    std::uint32_t ranked_invocations = 256;

    // Samples.

    /// Samples per tile in `sample:paper`: the paper's value.
    std::uint32_t paper_samples = 64;
    /// Samples per tile on an expected level. A full tile is then four and a half standard deviations above the mean
    /// bucket. Section "From two levels to one".
    std::uint32_t expected_samples = 256;
    /// Min elements of a tile for each of these samples.
    std::uint32_t sample_spacing = 16;
    /// Costs of guaranteed levels, in eighths of a level's work per element: a level per element, a sample of the first
    /// level, and the last sort per element. Section "Guaranteed levels".
    std::uint32_t level_work = 8;
    std::uint32_t sample_work = 64;
    std::uint32_t last_sort_work = 5;

    // Places and moves. Section "From two levels to one".

    /// Neighbouring columns that a group of `sample_prefix` adds up. Memory delivers neighbouring words together.
    std::uint32_t prefix_columns = 16;
    /// Min and max invocations per column: powers of two. Each has at least two tiles.
    std::uint32_t min_prefix_parts = 4;
    std::uint32_t max_prefix_parts = 64;
    /// Elements that an invocation of `sample_relocate` moves: a power of two.
    std::uint32_t relocated_elements = 16;
};

extern const TuningTable<Tuning> tuning_table;
extern const TuningFamily tuning_family;

/// The values for the frame's device.
inline const Tuning& tuning_of(const SortFrame& frame) {
    return tuning_table[frame.tuning_row()];
}

}  // namespace glsort::sample
