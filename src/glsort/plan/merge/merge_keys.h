#pragma once

#include <glsort/plan/sort_frame.h>

#include <cstdint>
#include <vector>

namespace glsort {

/// Whether `plan_merge_keys` applies to the sort, or to the sorts of a sorter that also merges lists. Requires the
/// fragment backend with at least two attachments. Takes up to 2^30 keys of one word, without payload, in the order of
/// their codes.
bool can_merge_keys(const SortFrame& frame);

/// Declares the stream `records` of such a sort, with `elements` keys per record. Merges of lists in the sorter share
/// the memory of `records`.
StreamId add_key_records(SortFrame& frame, std::uint32_t elements, std::uint32_t records = 0);

/// The multiway merge sort of keys without payload. Equal keys are identical, so a merge needs only keys, not their
/// places, and merges in registers. `merge_keys_runs` sorts runs of two records. Then each merge turns four runs into
/// one, in two ops:
///   - `merge_keys_split` finds, for every window of two records, how many keys of each run come before the window. An
///     instance handles up to four windows. The first window is searched from scratch, the others from the window
///     before (the merge path, Odeh et al. 2012, for four runs).
///   - `merge_keys` takes from each run the keys that half a window may need, and merges the keys by bitonic networks
///     (Batcher 1968). An instance writes one record.
/// `merge_keys_split` detects runs that are already in order, and `merge_keys` copies these. Before and after each op,
/// places after the last element of the stream hold keys that are not less than any key.
///
/// One draw sorts up to 32 elements, as in plan/merge/merge.h. A `copy` writes the caller's output.
///
/// The label `level` is the binary logarithm of the length of the runs that an op makes.
void plan_merge_keys(SortFrame& frame);

/// The counts after which the kernels of such a sort change (VariantDescriptor::counts).
std::vector<std::uint32_t> counts_of_merge_keys(const SortFrame& largest);

}  // namespace glsort
