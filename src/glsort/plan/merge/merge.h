#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// Multiway merge sort, for any n: the merge path (Odeh, Green, Mwassi, Shmueli and Birk 2012, "Merge
/// Path: Parallel Merging Made Simple"), which finds where a part of the merged sequence begins in its two
/// runs by a binary search, extended to up to eight runs.
///
/// Variant multiway works by gather alone.
/// `merge_runs` sorts runs of one or two records in registers. Then each merge turns up to eight
/// neighbouring runs into one, in three ops:
///   - `merge_split` finds, for every window of the merged sequence, how many elements of each run come
///     before it;
///   - `merge_order` merges the keys of a window, from its begin upwards and from its end downwards at
///     once, and writes for each place which of the window's elements belongs there: one byte;
///   - `merge_gather` moves whole records; in the last merge `merge_place` moves elements, straight to what
///     the caller is given where that can be written so.
///
/// Few fragments search and compare, on keys alone; the ops that move all data only fetch and write:
/// once for three levels of merging. The smallest merges need no `merge_split`: a window holds them. On the
/// fragment backend up to 32 elements are one draw: every instance sorts all of them, and keeps one.
///
/// Keys alone are merged in another way there (plan/merge/merge_keys.h).
///
/// The labels' level is the binary logarithm of the length of the runs that an op makes.
///
/// Lists that are sorted already (`SortFrame::lists`) are merged by the same three ops: a `copy` loads the
/// keys, and then a merge takes up to eight lists; above that, one merge makes a run of every eight lists,
/// and another one run of these. With one attachment it is four instead of eight. The labels' level counts
/// these merges from 1.
void plan_merge_multiway(SortFrame& frame);

/// The same merges by groups of invocations, in memory that they share (compute and cpu only).
/// `merge_tile` sorts runs of some thousand records; then each merge is two ops:
///   - `merge_split`, as above;
///   - `merge_shared`: a group loads what its window takes of each run, merges that and writes it.
void plan_merge_shared(SortFrame& frame);

}  // namespace glsort
