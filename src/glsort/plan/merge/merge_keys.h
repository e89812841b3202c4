#pragma once

#include <glsort/plan/sort_frame.h>

#include <cstdint>
#include <vector>

namespace glsort {

/// Whether `plan_merge_keys` can do the sort (or a sort beside this merge of lists): keys alone, of one word, by their
/// codes, on the fragment backend, with two attachments or more, up to 2^30 of them.
bool can_merge_keys(const SortFrame& frame);

/// Declares the stream `records` of such a sort, of so many keys each; the merges of lists beside it share its memory.
StreamId add_key_records(SortFrame& frame, std::uint32_t elements, std::uint32_t records = 0);

/// The multiway merge sort of keys that nothing belongs to: equal ones are all the same, so that no place of a key
/// needs to be known, and registers hold what is merged. `merge_keys_runs` sorts runs of two records; then each merge
/// turns four runs into one, in two ops:
///   - `merge_keys_split` finds, for every window of two records, how many keys of each run come before it: an
///     instance for up to four windows, which finds the first from nothing and goes on from there (the merge path,
///     Odeh et al. 2012, for four runs);
///   - `merge_keys` takes what half a window may need of each run, and merges it by bitonic networks
///     (Batcher 1968): a record an instance.
/// Runs that are in order already are noticed by `merge_keys_split`, and copied by `merge_keys`. What records hold
/// behind the last element is greater than every key, before and after each op.
///
/// Up to 32 elements are one draw, as in plan/merge/merge.h; a `copy` brings what the caller is given.
///
/// The labels' level is the binary logarithm of the length of the runs that an op makes.
void plan_merge_keys(SortFrame& frame);

/// Counts behind which the kernels of such a sort change (VariantDescriptor::counts).
std::vector<std::uint32_t> counts_of_merge_keys(const SortFrame& largest);

}  // namespace glsort
