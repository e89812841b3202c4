#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// Odd-even merge sorting network, one step an op (Batcher 1968; on GPUs Kipfer and Westermann 2005), for any n.
///
/// With m = ceil(log2 n), stage s = 1 ... m merges pairs of sorted blocks of 2^(s-1) in steps c = s-1 ... 0:
/// m(m+1)/2 ops, with fewer comparators than the bitonic network. A step compares stretches of 2^c elements, two and
/// two: in the first step of a stage the two halves of every block, in the others stretch 1 with 2, 3 with 4, ...,
/// so that a block's first and last stretch rest. Every comparator puts the smaller element first: so missing ones,
/// past n, act as +infinity, and are skipped. It is the network of `odd_even_merge_sort` (plan/sorting_network.h).
///
/// The parameters `block` and `distance` count records of two elements (plan/network_step.h); distance 0 compares
/// neighbouring elements.
void plan_odd_even_step(SortFrame& frame);

}  // namespace glsort
