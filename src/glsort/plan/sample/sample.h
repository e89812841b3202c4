#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// Min elements of a tile of a sample sort, and min samples per tile.
inline constexpr std::uint32_t min_sample_tile = 16;
inline constexpr std::uint32_t min_samples_of_tile = 4;

/// GPU Bucket Sort: Dehne and Zaboli, "Deterministic Sample Sort For GPUs" (2010). Compute and cpu.
///
/// All elements are different, by their index, or by their place if tiles are sorted stably. The bound on buckets
/// therefore holds for any keys. A level divides each of its segments into buckets. The first level has one segment,
/// all n elements. The ops follow the steps of the paper, which are also the label `step`:
///
///  2  `sample_tile`      sorts each tile of a segment in shared memory
///  3  `sample_take`      takes s equidistant samples of each tile
///  4  radix_sweep ...    sorts all samples by the ops of radix:one-sweep, or of merge:shared
///     `sample_sort`      steps 3 and 4 in one, with a group per segment, if a segment's samples fit a tile
///  6  `sample_place`     finds the places of the global samples in each tile. These samples (step 5) are equidistant
///                        ones of the sorted samples, and are read in place
///  7  `sample_prefix`    sums these places in columns, tile by tile: the starts of all buckets
///  8  `sample_relocate`  moves all buckets of all tiles to their places
///  9  `sample_buckets`   sorts the buckets
///
/// With s samples per tile and s buckets, no bucket has more than 2n/s elements, where n counts whole tiles
/// (sample_levels.h has the exact bound). There are two ways to buckets that fit a tile:
///
/// Guaranteed levels. The output of a level is the input of the next, cut into tiles again. The bound determines the
/// number of groups for these tiles. Only streams hold the actual sizes of buckets. Levels repeat until buckets have at
/// most half a tile. Step 9 sorts all buckets that begin in one window together. A window and one more bucket fit a
/// tile. Groups are then nearly full.
///
/// An expected level, for medium n (see expected_level()). The first level makes buckets of three quarters of a tile on
/// average, even if there are then more buckets than samples per tile. With 256 samples per tile a bucket hardly ever
/// outgrows a tile, and no second level needs to move elements. In each tile the samples begin at a different place, so
/// regular input rarely defeats this scheme.
/// Neighbouring buckets form segments. There are at most as many segments as samples per tile. A second level divides
/// the segments with an outgrown bucket again, and leaves all other segments alone. Step 9 has a group for each bucket
/// of the first level, and a group for all windows of each segment.
///
/// `sample_tile` alone sorts up to one tile. If subgroups can rank digits (plan/radix/radix.h), tiles are sorted by the
/// digits of their codes, with at most 16 elements per invocation. Equal keys then stay in input order. Otherwise, and
/// for a comparison of the caller, tiles are sorted by merges.
///
/// Every level that divides all elements reads and writes them twice. The last op reads and writes all elements once.
///
/// Streams: `tiles`, sorted; `records`, divided; `samples`, two copies; `places` and `moves`, a record for each bucket
/// of each tile; `starts` and `divided`, the starts of a level's buckets, alternately for successive levels. For the
/// sort of samples: the streams of sweeps (plan/radix/one_sweep.h), or `splits` of merges.
void plan_sample_multi_level(SortFrame& frame);

/// The form of the elements. If tiles are sorted by digits, equal keys stay in input order. Elements then need no
/// index, and a value of 4 bytes travels in them. Samples have the place of their element instead of an index.
ElementType::Form form_of_sample(const PlanRequest& request, const AlgorithmChoice& choice);

/// The variant of the paper. There is one level, with 64 samples per tile unless the request has another number. The
/// paper's sublist sort follows: a bitonic network over each bucket. `sample_step` performs the steps between tiles,
/// and `sample_tile` the steps within a tile.
void plan_sample_paper(SortFrame& frame);

/// Guaranteed levels with random samples, for comparison: Leischner, Osipov and Sanders, "GPU sample sort" (2010). A
/// hash of a sample's number draws the sample. Buckets then have no bound. A bucket that outgrows its room is not
/// divided further. Later levels leave the bucket in place, as the last of its own buckets. In the end one group of
/// `sample_outgrown` sorts the bucket in global memory.
void plan_sample_randomized(SortFrame& frame);

}  // namespace glsort
