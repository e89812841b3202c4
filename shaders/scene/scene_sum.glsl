// A record of a level of the pyramid: four numbers, each the sum of a record in the level below
// (src/glsort/plan/scene/pyramid_kernels.h).
//
// expects ports: below, sums
// expects parameters: begin, below, size
// allows macros: GLSORT_OF_BITS

#include "lib/bits.glsl"
#include "lib/layout.glsl"

uint glsort_sum_of(uint record) {
    if (record >= glsort_op_size) return 0u;
    uvec4 counts = glsort_below_gather(glsort_op_below + record);
#if defined(GLSORT_OF_BITS)
    counts = glsort_bit_counts(counts);
#endif
    return counts.x + counts.y + counts.z + counts.w;
}

void glsort_kernel(glsort_Index instance) {
    uint first = 4u * (glsort_number_of(instance) - glsort_op_begin);
    glsort_sums_write(uvec4(glsort_sum_of(first), glsort_sum_of(first + 1u), glsort_sum_of(first + 2u),
                            glsort_sum_of(first + 3u)));
}
