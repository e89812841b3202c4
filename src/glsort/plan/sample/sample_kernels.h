#pragma once

#include <glsort/plan/merge/merge_shared.h>
#include <glsort/plan/radix/radix_kernels.h>
#include <glsort/plan/sample/sample_levels.h>

#include <cstdint>
#include <optional>

/// The kernels of the sample sorts (plan/sample/sample.h).

namespace glsort::sample {

/// Values that all kernels of one program share.
struct Policy {
    ElementType element_type;
    ElementType sample;         ///< Has an index: the index of its element, or the place of its element in the tiles.
    std::uint32_t tile = 4096;  ///< Elements that a group sorts: a power of two, at least 16.
    std::uint32_t invocations = 1024;   ///< Max invocations of a group: a power of two.
    std::uint32_t shared_words = 8192;  ///< Words of shared memory of a group.
    std::uint32_t max_samples = 4096;   ///< Max samples per tile: a power of two, at most `tile`.
    // Tuning (plan/sample/tuning.h).
    std::uint32_t prefix_columns = 16;
    std::uint32_t min_prefix_parts = 4;
    std::uint32_t max_prefix_parts = 64;
    std::uint32_t relocated_elements = 16;
    bool random = false;  ///< Whether samples are random. Buckets then have no bound.

    /// The digits that sort tiles, if elements have codes and subgroups can rank the digits.
    std::optional<radix::Policy> digits = std::nullopt;
    /// Without digits, merges sort tiles. Merges also sort samples, unless `digits_sort_samples`.
    merge::GroupPolicy merges = {};

    /// Whether digits sort the samples. Equal samples must then be in input order, and random samples are not.
    bool digits_sort_samples() const { return digits && !random; }
    /// Max samples that one group sorts.
    std::uint32_t samples_together() const { return digits_sort_samples() ? digits->tile() : merges.tile(); }
    /// Whether samples have places instead of indices.
    bool placed() const { return !element_type.indexed() || element_type.carries_value(); }
};

// The parameters of the kernels up to `sample_relocate` are count (n), tiles (of a segment), segments and, if samples
// are random, seed.
//
// `of_buckets` has the meaning of Level::of_buckets. If it is 0, all elements are one segment. From 1 on, kernels read
// `starts`: the starts of the previous level's buckets, and n after them. From 2 on, only segments with an outgrown
// bucket are divided; the others count as empty. One group then has all tiles of a segment. The plan's cost counts one
// tile for each group, because most segments are empty. Otherwise the domain of a kernel with groups counts the tiles
// of all segments, `level.tiles` per segment, unless noted below.

/// `sample_tile`: sorts tiles. Reads records, starts. Writes records.
KernelPtr tile_kernel(const Policy& policy, std::uint32_t of_buckets);
/// `sample_tile` for segments of one bucket each. Also copies what outgrows the tiles of a segment.
KernelPtr bucket_tile_kernel(const Policy& policy);

/// `sample_take`: takes the samples of the first level, in the order of the tiles. Reads records, writes samples. No
/// groups.
KernelPtr take_kernel(const Policy& policy, const Level& level);
/// `sample_sort`: takes and sorts the samples of each segment, `level.samples_each()` per segment. Reads records,
/// starts. Writes samples. The domain counts segments.
KernelPtr sort_kernel(const Policy& policy, const Level& level);

/// `sample_place`: finds the start of each bucket in each tile. Reads records, samples, starts. Writes places, one word
/// for each bucket of a tile.
KernelPtr place_kernel(const Policy& policy, const Level& level);

/// Neighbouring columns per group of `sample_prefix`, and groups per segment.
std::uint32_t columns_of(const Policy& policy, const Level& level);
std::uint32_t column_groups_of(const Policy& policy, const Level& level);

/// `sample_prefix`: computes the start of each bucket, and where the elements of each bucket of a tile go. Reads
/// places, starts. Writes two words to moves for each bucket of a tile. The first is the bucket's place in the tile.
/// The second, added to a place in the tile, gives the destination. Writes the starts, and n after them, to buckets.
/// The domain counts groups of columns.
KernelPtr prefix_kernel(const Policy& policy, const Level& level);

/// Neighbouring tiles of a segment that a group of `sample_relocate` moves together, and the group's words of shared
/// memory. Groups move more tiles if each tile has fewer elements of a bucket (docs/experiments.md).
inline constexpr std::uint32_t tiles_together(std::uint32_t tile, std::uint32_t buckets) {
    return tile / buckets < 8 ? 4 : 2;
}
inline constexpr std::uint32_t relocated_words(std::uint32_t tile, std::uint32_t buckets) {
    const std::uint32_t words = tiles_together(tile, buckets) / 2;
    return (words + 1) * buckets + words;
}

/// `sample_relocate`: moves the buckets of each tile to their places. Reads records, moves, starts. Writes records. The
/// domain counts the tiles of all segments, `tiles_together` per group.
KernelPtr relocate_kernel(const Policy& policy, const Level& level);

// The parameters of the next two kernels are count, buckets, window. The domains count windows.

/// `sample_buckets`: sorts the buckets that begin in a window. Reads records, starts. Writes records.
KernelPtr buckets_kernel(const Policy& policy);

/// `sample_outgrown`: sorts the windows whose buckets exceed a tile. Reads starts, shares records.
KernelPtr outgrown_kernel(const Policy& policy);

/// `sample_buckets` after a level that divides outgrown buckets again. The domain counts two kinds of groups. First,
/// there is a group for each bucket of `starts`. The group sorts the bucket, unless the bucket's segment, of
/// `level.of_buckets` buckets, was divided again. Second, there is a group for each segment. If the segment was divided
/// again, the group sorts the segment's `windows` windows. The starts of their buckets are in `divided`. Parameters:
/// count, buckets, window, windows, tiles (of a segment).
KernelPtr buckets_kernel(const Policy& policy, const Level& level);

/// `sample_step`: a step of a bitonic network over each bucket. Reads records, starts. Writes records. No groups.
/// Parameters: buckets, mask (between the places of partners in the bucket).
KernelPtr step_kernel(const Policy& policy);

}  // namespace glsort::sample
