#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// The smallest tile of a sample sort, in records, and the fewest samples of it.
inline constexpr std::uint32_t least_sample_tile = 16;
inline constexpr std::uint32_t fewest_samples_of_tile = 4;

/// GPU Bucket Sort: Dehne and Zaboli, "Deterministic Sample Sort For GPUs" (2010). Compute and cpu.
///
/// Records are distinct, by their index or, where tiles are sorted stably, by their place: so the bound on buckets
/// holds whatever the keys are. A level divides each of its segments (the first level has one, all n records) into
/// buckets, in the paper's steps, which are the labels' steps:
///
///   2  `sample_tile`      sorts each tile of a segment in shared memory
///   3  `sample_take`      takes s equidistant samples of each tile,
///   4  radix_sweep ...    and sorts all samples by the ops of radix:one-sweep, or of merge:shared;
///      `sample_sort`      both in one, by a group a segment, where a segment's samples fit a tile
///   6  `sample_place`     finds the places of the global samples in each tile. These (step 5) are equidistant ones of
///                         the sorted samples, and read where they lie
///   7  `sample_prefix`    sums these places up in columns, tile by tile: where each bucket begins
///   8  `sample_relocate`  moves all buckets of all tiles there
///   9  `sample_buckets`   sorts the buckets
///
/// With s buckets none has more than 2n/s records (sample_levels.h has the exact bound). There are two ways on to
/// buckets that fit a tile:
///
/// Guaranteed levels. What a level writes is the next one's input, cut into tiles again, of which the program has as
/// many groups as the bound allows; the sizes of buckets are in streams alone. Levels go on until buckets have at most
/// half a tile; step 9 sorts those that begin in a window of so many records that the window and a bucket fit a tile:
/// buckets that lie side by side are sorted together, so that groups are about full.
///
/// An expected level, for n that are not small and not too large (expected_level() says where). The first level makes
/// many more buckets than samples of a tile: with 256 of these a bucket that is expected to have three quarters of a
/// tile hardly ever outgrows it, and no other level has to move records. Samples of a tile begin at another place in
/// each tile, so that it takes more than a regular input to undo this. Neighbouring buckets make up as many segments
/// as the bound is worth something for: those of which a bucket has outgrown a tile are divided again, by a second
/// level, whose ops leave all other segments alone. Step 9 has a group for each bucket of the first level, and one for
/// all windows of each segment.
///
/// What fits a tile is sorted by `sample_tile` alone. A tile is sorted by the digits of its codes where subgroups rank
/// them (plan/radix/radix.h), 16 records an invocation at the most: equal keys always lie in the order of the input.
/// Else, and by a comparison, by merges.
///
/// Every level that divides all records reads and writes them twice, and the last op once more.
///
/// Streams: `tiles`, sorted, and `records`, divided; `samples`, two copies; `places` and `moves`, a record for each
/// bucket of each tile; `starts` and `divided`, where buckets of the first level begin, of the second, and so on in
/// turn; those of sweeps (plan/radix/one_sweep.h), or `splits`, of merges.
void plan_sample_multi_level(SortFrame& frame);

/// The records that it takes. Where tiles are sorted by digits, equal keys stay in the order of the input: records need
/// no index then, and a value of 4 bytes travels in them. Samples have the place of theirs instead.
RecordType::Form form_of_sample(const PlanRequest& request, const AlgorithmChoice& choice);

/// The same with the paper's one level, of 64 samples unless the request says otherwise, and its sublist sort: a
/// bitonic network over each bucket, `sample_step` for the steps between tiles, `sample_tile` for those within one.
void plan_sample_paper(SortFrame& frame);

/// The same guaranteed levels with samples that are drawn at random, by a hash of their numbers, as in Leischner,
/// Osipov and Sanders, "GPU sample sort" (2010): to be compared with. Nothing bounds the buckets then. One that
/// outgrows its room is divided no further: the levels below leave it where it is, as the last of its own buckets, and
/// in the end `sample_outgrown`, one group, sorts it over global memory.
void plan_sample_randomized(SortFrame& frame);

}  // namespace glsort
