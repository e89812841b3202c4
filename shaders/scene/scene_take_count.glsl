// The caller's count, at most the capacity, and whether the count was greater.
//
// expects ports: given, taken
// expects parameters: capacity

#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    uint given = glsort_given_gather(0u);
    glsort_taken_write(uvec2(min(given, glsort_op_capacity), given > glsort_op_capacity ? 1u : 0u));
}
