// Sorts runs of GLSORT_RUN elements in registers by a sorting network (plan/networks/sorting_network.h). An instance
// writes one record of GLSORT_ELEMENTS. Each of the GLSORT_RUN / GLSORT_ELEMENTS instances of a run sorts the whole
// run: reading and comparing cost less than another pass. Elements past the end of the input are greater than all
// others.
//
// expects ports: source, target
// expects parameters: count
// expects macros: GLSORT_ELEMENTS, GLSORT_RUN, GLSORT_SORTING_NETWORK
// allows macros: GLSORT_LOADED_RUN

#include "lib/compare.glsl"
#include "lib/layout.glsl"

#define GLSORT_COMPARE(a, b) glsort_compare(run[a], run[b], true);

void glsort_kernel(glsort_Index instance) {
    uint first = glsort_number_of(instance) * GLSORT_ELEMENTS;
    uint part = first % GLSORT_RUN / GLSORT_ELEMENTS;
    first -= first % GLSORT_RUN;
    glsort_Element run[GLSORT_RUN];
#if defined(GLSORT_LOADED_RUN)
    glsort_load_run(first, glsort_op_count, GLSORT_MISSING, run);
#else
    for (uint i = 0u; i < GLSORT_RUN; ++i)
        run[i] = first + i < glsort_op_count ? glsort_source_gather(first + i) : GLSORT_MISSING;
#endif
    GLSORT_SORTING_NETWORK
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        glsort_Element value = run[k];
        for (uint p = 1u; p < GLSORT_RUN / GLSORT_ELEMENTS; ++p)
            if (part == p) value = run[p * GLSORT_ELEMENTS + k];
        glsort_target_write(k, value);
    }
}
