#pragma once

#include <glsort/plan/merge_shared.h>
#include <glsort/plan/radix_kernels.h>
#include <glsort/plan/sample_levels.h>

#include <cstdint>
#include <optional>

/// The kernels of the sample sorts (plan/sample.h).

namespace glsort::sample {

using merge::KernelPtr;

/// What the kernels of one program have in common.
struct Setting {
    RecordType record;               ///< Has an index: no two are equal.
    std::uint32_t tile = 4096;       ///< Records that a group sorts: a power of two, at least 16.
    std::uint32_t invocations = 1024;  ///< That a group may have: a power of two.
    std::uint32_t most_samples = 4096;  ///< Of a tile: a power of two, at most `tile`.
    bool random = false;             ///< Samples are drawn at random: buckets have no bound.

    /// By which tiles are sorted, where records have codes, whose digits subgroups rank.
    std::optional<radix::Setting> digits = std::nullopt;
    /// By which tiles are sorted else, and samples: by merges.
    merge::GroupSetting merges = {};
};

// Parameters of all but the last three: count (n), tiles (of a segment), segments and, where samples are random, seed.
// With `starts` segments are buckets, else the first level's only one. Domains of groups count segments' tiles,
// `level.tiles` each, unless said otherwise.

/// `sample_tile`: sorts tiles. Reads records, starts; writes records.
KernelPtr tile_kernel(const Setting& setting, bool starts);

/// `sample_take`: the samples of the first level, in the order of the tiles. Reads records, writes samples; no groups.
KernelPtr take_kernel(const Setting& setting, const Level& level);

/// `sample_sort`: the samples of each segment, sorted, `level.tiles * level.samples` to a segment. Reads records,
/// starts; writes samples. Its domain counts segments.
KernelPtr sort_kernel(const Setting& setting, const Level& level, bool starts);

/// `sample_place`: where each bucket begins in each tile. Reads records, samples, starts; writes places, `samples` a
/// tile.
KernelPtr place_kernel(const Setting& setting, const Level& level, bool starts);

/// Neighbouring columns of one group of `sample_prefix`.
std::uint32_t columns_of(const Level& level);

/// `sample_prefix`: how many records the tiles before have before each bucket, into moves (with the place), and
/// where each bucket begins, into the new starts; behind them n. Reads places, starts. Its domain counts columns by
/// `columns_of` them.
KernelPtr prefix_kernel(const Setting& setting, const Level& level, bool starts);

/// `sample_relocate`: the buckets of each tile, to their places. Reads records, moves, the new starts; writes records.
KernelPtr relocate_kernel(const Setting& setting, const Level& level);

// Parameters of these: count, buckets, window. Their domain counts windows.

/// `sample_buckets`: sorts the buckets that begin in a window. Reads records, starts; writes records.
KernelPtr buckets_kernel(const Setting& setting);

/// `sample_outgrown`: the same for windows whose buckets exceed a tile. Reads starts, shares records.
KernelPtr outgrown_kernel(const Setting& setting);

/// `sample_step`: a step of a bitonic network over each bucket. Reads records, starts; writes records; no groups.
/// Parameters: buckets, mask (of partners' places in the bucket).
KernelPtr step_kernel(const Setting& setting);

}  // namespace glsort::sample
