#pragma once

#include <glsort/plan/sort_frame.h>

#include <cstdint>
#include <vector>

namespace glsort {

/// Whether `plan_merge_keys` applies to the sort, or to the sorts of a sorter that also merges lists. Requires the
/// fragment backend with at least two attachments, and up to 2^30 keys of one word, without payload, in the order of
/// their codes.
bool can_merge_keys(const SortFrame& frame);

/// Declares the stream `records` of such a sort, with `elements` keys per record. Merges of lists in the sorter share
/// its memory.
StreamId add_key_records(SortFrame& frame, std::uint32_t elements, std::uint32_t records = 0);

/// The multiway merge sort of keys without payload. Equal keys are identical, so the place of a key need not be known,
/// and registers hold what is merged. `merge_keys_runs` sorts runs of two records. Then each merge turns four runs into
/// one, in two ops:
///   - `merge_keys_split` finds, for every window of two records, how many keys of each run come before the window. An
///     instance handles up to four windows. It searches for the first from scratch and continues from there (the merge
///     path, Odeh et al. 2012, for four runs).
///   - `merge_keys` takes from each run the keys that half a window may need, and merges them by bitonic networks
///     (Batcher 1968). An instance writes one record.
/// `merge_keys_split` detects runs that are already in order, and `merge_keys` copies these. Before and after each op,
/// places after the last element of the stream hold keys that are not less than any key.
/// behind the last element is greater than every key, before and after each op.
///
/// One draw sorts up to 32 elements, as in plan/merge/merge.h. A `copy` writes the caller's output.
///
/// The label `level` is the binary logarithm of the length of the runs that an op makes.
void plan_merge_keys(SortFrame& frame);

/// The counts after which the kernels of such a sort change (VariantDescriptor::counts).
std::vector<std::uint32_t> counts_of_merge_keys(const SortFrame& largest);

}  // namespace glsort
