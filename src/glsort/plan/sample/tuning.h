#pragma once

#include <glsort/plan/sort_frame.h>
#include <glsort/plan/tuning.h>

#include <cstdint>

namespace glsort::sample {

/// The values of the sample sorts. Sections are of docs/experiments.md, "Sample sort". Measured on H100 and H200; all
/// rows are the same, as nobody has measured elsewhere.
struct Tuning {
    // Tiles, powers of two. Section "From two levels to one".

    /// Elements of a tile at least, where none are asked for.
    std::uint32_t least_tile = 512;
    /// And at the most, as long as an expected level takes all elements; and of more elements.
    std::uint32_t most_tile = 4096;
    std::uint32_t largest_tile = 8192;
    /// Where there are fewer tiles, smaller ones keep more multiprocessors busy.
    std::uint32_t tiles = 128;
    /// Elements that an invocation sorts by merges, a power of two.
    std::uint32_t merged_elements = 8;
    /// Elements that an invocation sorts by digits, and invocations of such a group at least. More elements than
    /// `most_ranked_elements` take more registers than there are.
    std::uint32_t ranked_elements = 8;
    std::uint32_t most_ranked_elements = 16;
    std::uint32_t ranked_invocations = 256;

    // Samples.

    /// Of a tile, in `sample:paper`: what the paper takes.
    std::uint32_t paper_samples = 64;
    /// Of a tile, on a level whose buckets are expected to fit: a tile is then four and a half standard deviations
    /// away. Section "From two levels to one".
    std::uint32_t expected_samples = 256;
    /// Elements of a tile for each of those, at least.
    std::uint32_t sample_spacing = 16;
    /// What levels cost that are guaranteed, in eighths of what a level does with a record: a level for each record,
    /// a sample of the first level, the last sort for each record. Section "Guaranteed levels".
    std::uint32_t level_work = 8;
    std::uint32_t sample_work = 64;
    std::uint32_t last_sort_work = 5;

    // Places and moves. Section "From two levels to one".

    /// Neighbouring columns that a group of `sample_prefix` adds up: words that lie together memory delivers at once.
    std::uint32_t prefix_columns = 16;
    /// Invocations for each column, powers of two: two tiles or more to each.
    std::uint32_t least_prefix_parts = 4;
    std::uint32_t most_prefix_parts = 64;
    /// Elements that an invocation of `sample_relocate` moves, a power of two.
    std::uint32_t relocated_elements = 16;
};

extern const TuningTable<Tuning> tuning_table;
extern const TuningFamily tuning_family;

/// The values of the row that the frame has.
inline const Tuning& tuning_of(const SortFrame& frame) {
    return tuning_table[frame.tuning_row()];
}

}  // namespace glsort::sample
