#pragma once

#include <glsort/plan/merge/merge_shared.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/sample/sample_levels.h>

#include <cstdint>
#include <optional>

/// The kernels of the sample sorts (plan/sample/sample.h).

namespace glsort::sample {

using merge::KernelPtr;

/// What the kernels of one program have in common.
struct Setting {
    RecordType record;
    RecordType sample;                  ///< Has an index, the record's, or else its place among the tiles.
    std::uint32_t tile = 4096;          ///< Records that a group sorts: a power of two, at least 16.
    std::uint32_t invocations = 1024;   ///< That a group may have: a power of two.
    std::uint32_t shared_words = 8192;  ///< That a group has.
    std::uint32_t most_samples = 4096;  ///< Of a tile: a power of two, at most `tile`.
    // Tuning (plan/sample/tuning.h).
    std::uint32_t prefix_columns = 16;
    std::uint32_t least_prefix_parts = 4;
    std::uint32_t most_prefix_parts = 64;
    std::uint32_t relocated_elements = 16;
    bool random = false;  ///< Samples are drawn at random: buckets have no bound.

    /// By which tiles are sorted, where records have codes, whose digits subgroups rank.
    std::optional<radix::Setting> digits = std::nullopt;
    /// By which tiles are sorted else, and samples: by merges.
    merge::GroupSetting merges = {};

    /// Whether digits sort samples: equal ones lie in the order of the input as well, unless they are drawn at random.
    bool digits_sort_samples() const { return digits && !random; }
    /// Samples that one group sorts, at the most.
    std::uint32_t samples_together() const { return digits_sort_samples() ? digits->tile() : merges.tile(); }
    /// Whether samples have places for indices.
    bool placed() const { return !record.indexed() || record.carries_value(); }
};

// Parameters, up to `sample_relocate`: count (n), tiles (of a segment), segments and, where samples are random, seed.
// `of_buckets`: as in Level; from 1 on kernels read `starts`, where the buckets of the level before begin, and behind
// them n. From 2 on a segment none of whose buckets has outgrown a tile counts as empty, and a group has all tiles of a
// segment; what the plan says of its cost is for one of them: most have none. Else domains of groups count segments'
// tiles, `level.tiles` each, unless said otherwise.

/// `sample_tile`: sorts tiles. Reads records, starts; writes records.
KernelPtr tile_kernel(const Setting& setting, std::uint32_t of_buckets);

/// `sample_take`: the samples of the first level, in the order of the tiles. Reads records, writes samples; no groups.
KernelPtr take_kernel(const Setting& setting, const Level& level);

/// `sample_sort`: the samples of each segment, sorted, `level.samples_each()` to a segment. Reads records, starts;
/// writes samples. Its domain counts segments.
KernelPtr sort_kernel(const Setting& setting, const Level& level);

/// `sample_place`: where each bucket begins in each tile. Reads records, samples, starts; writes places, a word for
/// each bucket of a tile.
KernelPtr place_kernel(const Setting& setting, const Level& level);

/// Neighbouring columns of one group of `sample_prefix`, and the groups of a segment.
std::uint32_t columns_of(const Setting& setting, const Level& level);
std::uint32_t column_groups_of(const Setting& setting, const Level& level);

/// `sample_prefix`: how far the records of each bucket of a tile move, into moves (behind the place), and where each
/// bucket begins, into buckets; behind them n. Reads places, starts. Its domain counts groups of columns.
KernelPtr prefix_kernel(const Setting& setting, const Level& level);

/// Neighbouring tiles of a segment that a group of `sample_relocate` moves together: the more the fewer records each
/// has of a bucket (docs/experiments.md). And the words of memory that it shares.
inline constexpr std::uint32_t tiles_together(std::uint32_t tile, std::uint32_t buckets) {
    return tile / buckets < 8 ? 4 : 2;
}
inline constexpr std::uint32_t relocated_words(std::uint32_t tile, std::uint32_t buckets) {
    const std::uint32_t words = tiles_together(tile, buckets) / 2;
    return (words + 1) * buckets + words;
}

/// `sample_relocate`: the buckets of each tile, to their places. Reads records, moves, starts; writes records. Its
/// domain counts segments' tiles, `tiles_together` to a group.
KernelPtr relocate_kernel(const Setting& setting, const Level& level);

// Parameters of these: count, buckets, window. Their domain counts windows.

/// `sample_buckets`: sorts the buckets that begin in a window. Reads records, starts; writes records.
KernelPtr buckets_kernel(const Setting& setting);

/// `sample_outgrown`: the same for windows whose buckets exceed a tile. Reads starts, shares records.
KernelPtr outgrown_kernel(const Setting& setting);

/// `sample_buckets` behind a level that divides again what has outgrown a tile. Its first groups sort a bucket of
/// `starts` each, of which `level.of_buckets` make up a segment, if the segment has not been divided again; then there
/// is one for each segment, which sorts the `windows` windows of one that has, where the buckets in `divided` begin.
/// Its domain counts both. Parameters: count, buckets, window, windows.
KernelPtr buckets_kernel(const Setting& setting, const Level& level);

/// `sample_step`: a step of a bitonic network over each bucket. Reads records, starts; writes records; no groups.
/// Parameters: buckets, mask (of partners' places in the bucket).
KernelPtr step_kernel(const Setting& setting);

}  // namespace glsort::sample
