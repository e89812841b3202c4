#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// Multiway merge sort, for any n, along the merge path (Odeh, Green, Mwassi, Shmueli and Birk 2012, "Merge Path:
/// Parallel Merging Made Simple"). A part of the merged sequence begins at some place in each of its two runs. A binary
/// search finds these places. Here the search covers up to eight runs.
///
/// Variant multiway works by gather alone.
/// `merge_runs` sorts runs of up to 32 elements, in whole records, in registers. Then each merge turns up to eight
/// neighbouring runs into one, in three ops:
///   - `merge_split` finds, for every window of the merged sequence, how many elements of each run come before the
///     window.
///   - `merge_order` merges the keys of a window, upwards from the window's start and downwards from its end at once.
///     Each 16 places get four words: the run of each element, and the number of elements that each run gave before.
///   - `merge_gather` moves whole records. In the last merge `merge_place` moves single elements instead, if
///     `merge_place` can then write the caller's output directly.
///
/// Few fragments search and compare, and these fragments read keys alone. The ops that move all data only fetch and
/// write, once for three levels of merging. The smallest merges fit one window, and need no `merge_split`. On the
/// fragment backend one draw sorts up to 32 elements: every instance sorts all of them and keeps one.
///
/// On the fragment backend, elements of one word are merged differently (plan/merge/merge_keys.h): keys without values,
/// and keys by few bits (ElementType::index_bits).
///
/// The label `level` is the binary logarithm of the length of the runs that an op makes.
///
/// These three ops also merge sorted lists (`SortFrame::lists`). A `copy` loads the keys. One merge takes up to eight
/// lists. With more lists, a first merge turns every eight lists into a run, and another merge takes these runs. With
/// one attachment, a merge takes up to four lists or runs, not eight. The label `level` counts these merges from 1.
void plan_merge_multiway(SortFrame& frame);

/// The merges of multiway, by groups of invocations in shared memory (compute and cpu only). `merge_tile` sorts runs of
/// up to 2048 elements. Then each merge is two ops:
///   - `merge_split`, as above.
///   - `merge_shared`: a group loads its window's part of each run, merges the parts and writes the result.
void plan_merge_shared(SortFrame& frame);

}  // namespace glsort
