// Sorts runs of GLSORT_RUN elements by odd-even transposition, one run per instance (GPU-ABiSort, section 7.1). Runs
// ascend and descend alternately. The last run ascends; `odd` is the parity of its number. Elements past the end of the
// input are greater than all others.
//
// expects ports: source, target
// expects parameters: count, odd
// expects macros: GLSORT_RUN

#include "abisort/tree.glsl"
#include "lib/compare.glsl"
#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    glsort_Element run[GLSORT_RUN];
    uint first = glsort_number_of(instance) * uint(GLSORT_RUN);
    for (int i = 0; i < GLSORT_RUN; ++i)
        run[i] = first + uint(i) < glsort_op_count ? glsort_source_gather(first + uint(i)) : GLSORT_MISSING;
    bool ascending = (glsort_last_bit(instance) != 0u) == (glsort_op_odd != 0u);
    for (int round = 0; round < GLSORT_RUN / 2; ++round) {
        for (int i = 0; i + 1 < GLSORT_RUN; i += 2) glsort_compare(run[i], run[i + 1], ascending);
        for (int i = 1; i + 1 < GLSORT_RUN; i += 2) glsort_compare(run[i], run[i + 1], ascending);
    }
    for (int i = 0; i < GLSORT_RUN; ++i) glsort_target_write(uint(i), run[i]);
}
