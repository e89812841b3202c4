#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// Periodic balanced sorting network, one step an op (Dowd, Perl, Rudolph and Saks 1989; on GPUs Govindaraju,
/// Raghuvanshi and Manocha 2005), for any n.
///
/// With m = ceil(log2 n), the same stage m times, of m steps c = m-1 ... 0: m^2 ops. A step compares every block of
/// 2^(c+1) elements with its mirror image: element i with i xor (2^(c+1) - 1). Every comparator puts the smaller
/// element first: so missing ones, past n, act as +infinity, and are skipped.
///
/// The parameters are masks over the numbers of records of two elements (plan/network_step.h): `mirror`, the bits
/// that tell the records of a block apart, and `half`, the highest of them. In the last step both are 0: it compares
/// the two of a record.
void plan_periodic_balanced_step(SortFrame& frame);

}  // namespace glsort
