// The load chunk of a sweep that reads two halves (src/glsort/plan/radix/halves.h). GLSORT_MIDDLE: the first place of
// the upper half.
//
// expects ports: lower, upper
// expects macros: GLSORT_ELEMENTS, GLSORT_MIDDLE, GLSORT_SUBGROUP

#include "lib/element.glsl"
#include "lib/subgroup.glsl"

glsort_Element glsort_load(uint place) {
    if (place < GLSORT_MIDDLE) return glsort_lower_gather(place);
    return glsort_upper_gather(place - GLSORT_MIDDLE);
}

// Loads the elements of an invocation, which are GLSORT_SUBGROUP apart. The elements of its subgroup begin at element
// `first`. In place of elements from `count` on, loads the last element.
//
// Loads in a branch of their own would wait for each other. So the half is chosen once, where all elements of the
// subgroup lie in one half.
void glsort_load_run(uint first, uint count, out glsort_Element mine[GLSORT_ELEMENTS]) {
    uint last = count - 1u;
    uint begin = first + GLSORT_SUBGROUP_LANE;
    if (first + GLSORT_ELEMENTS * uint(GLSORT_SUBGROUP) <= GLSORT_MIDDLE) {
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            mine[k] = glsort_lower_gather(min(begin + k * uint(GLSORT_SUBGROUP), last));
    } else if (first >= GLSORT_MIDDLE && last >= GLSORT_MIDDLE) {
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            mine[k] = glsort_upper_gather(min(begin + k * uint(GLSORT_SUBGROUP), last) - GLSORT_MIDDLE);
    } else {
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) mine[k] = glsort_load(min(begin + k * uint(GLSORT_SUBGROUP), last));
    }
}
