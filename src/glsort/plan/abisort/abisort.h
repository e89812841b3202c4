#pragma once

#include <glsort/plan/sort_frame.h>

namespace glsort {

/// GPU-ABiSort (Gress and Zachmann 2006): adaptive bitonic sorting on streams, for any n.
///
/// Level j = 1 ... m, m = ceil(log2 n), merges bitonic trees of 2^j nodes. The sorted sequences it
/// begins with lie in order, so the children of their nodes follow from their places; nodes that the
/// merge writes carry pointers. Trees are pruned where n is no power of two (`MergeLayout`).

/// Appendix A: the stages of a level one after the other, O(log^3 n) ops: m(m+1)(m+2)/6 phases.
void plan_abisort_appendix_a(SortFrame& frame);

/// Section 5.4: the stages of a level partially overlapped, O(log^2 n) ops: m^2 steps.
void plan_abisort_overlapped(SortFrame& frame);

/// Section 7: runs of 8 sorted in one op; merges without their last four stages, m(m-4) steps for
/// m >= 4; then a traversal of what these leave, and a bitonic merge of 16.
void plan_abisort_paper(SortFrame& frame);

/// Past the paper: runs of 16 sorted in one op; every merge is 2j - 5 steps and one op that traverses
/// what they leave, merges it by 16 and writes the runs that the next level merges, which are gathered
/// from as they lie, without conversion. Nodes are written in place where the backend may (compute, and
/// fragment with texture barriers), which saves the copy after every step.
void plan_abisort_fused(SortFrame& frame);

}  // namespace glsort
