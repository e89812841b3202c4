// A number of a level of the pyramid: the sum of neighbours in the level below (src/glsort/plan/scene/pyramid_kernels.h).
//
// expects ports: below, sum
// expects parameters: begin, below, size
// expects macros: GLSORT_COUNT_OF, GLSORT_FAN

void glsort_kernel(glsort_Index instance) {
    uint first = (glsort_number_of(instance) - glsort_op_begin) * GLSORT_FAN;
    uint sum = 0u;
    for (uint i = first; i < min(first + GLSORT_FAN, glsort_op_size); ++i)
        sum += GLSORT_COUNT_OF(glsort_below_gather(glsort_op_below + i));
    glsort_sum_write(sum);
}
