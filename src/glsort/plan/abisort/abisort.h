#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// GPU-ABiSort: adaptive bitonic sorting on streams, for any n. Sections, tables and figures are those of Greß and
/// Zachmann, "GPU-ABiSort: Optimal Parallel Sorting on Stream Architectures (extended version)", Technical Report
/// IfI-06-11, Clausthal University of Technology, 2006. The version of IPDPS 2006 is shorter.
///
/// The capacity is at most 2^30 elements, and 2^31 for `plan_abisort_fused`. For more elements, all these functions
/// throw `Error`.
///
/// Level j = 1 ... m, m = ceil(log2 n), merges bitonic trees of 2^j nodes. The sorted sequences at the start of a level
/// are in order, so the children of a node follow from the node's place. Nodes that a merge writes carry pointers. If n
/// is not a power of two, trees are pruned (`MergeLayout`).

/// Appendix A: the stages of a level run one after the other. O(log^3 n) ops: m(m+1)(m+2)/6 phases.
void plan_abisort_appendix_a(SortFrame& frame);

/// Section 5.4: the stages of a level overlap partially. O(log^2 n) ops: m^2 steps.
void plan_abisort_overlapped(SortFrame& frame);

/// Section 7: one op sorts runs of 8. Merges omit their last four stages, which leaves m(m-4) steps for m >= 4. A
/// traversal of the remaining subtrees follows, and a bitonic merge of 16.
void plan_abisort_paper(SortFrame& frame);

/// Goes beyond the paper. One op sorts runs of 16. Every merge is 2j - 5 steps and one last op. The last op traverses
/// the remaining subtrees, merges them by 16 and writes runs. The next level gathers from these runs without
/// conversion. If the backend allows, nodes are written in place, and no step needs a copy. Compute allows this, and so
/// does fragment with texture barriers.
void plan_abisort_fused(SortFrame& frame);

}  // namespace glsort
