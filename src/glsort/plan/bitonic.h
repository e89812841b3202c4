#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// Bitonic sorting network, one step an op (Batcher 1968), for any n.
///
/// With m = ceil(log2 n), stage s = 1 ... m makes sorted blocks of 2^s out of pairs of blocks of
/// 2^(s-1), in steps c = s-1 ... 0 that compare element i with i xor 2^c: m(m+1)/2 ops. Block b
/// ascends iff b xor ((n-1) >> s) is even, so that the last block always ascends; partners past the
/// end then act as +infinity, and are skipped.
///
/// The parameters `block` and `distance` count records of two elements (plan/network_step.h); distance 0
/// compares the two of a record.
void plan_bitonic_step(SortFrame& frame);

}  // namespace glsort
