// Counts how often each digit value of each pass occurs, and clears `status`. Each group adds the counts of its
// partition to `sums`. With a count on the GPU, the last partitions may be empty.
//
// expects ports: source, status
// expects parameters: count, end, first, length, status
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE
// ignores macros: GLSORT_ELEMENTS, GLSORT_ROUND_BITS, GLSORT_SCAN_ROW, GLSORT_TILE

#include "lib/layout.glsl"
#include "radix/digit_counts.glsl"

#pragma optionNV(unroll all)

const uint GLSORT_AT_ONCE = 8u;

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    if (number * glsort_op_length >= glsort_op_count) return;
    uint begin = number * glsort_op_length + GLSORT_LANE;
    uint end = min(number * glsort_op_length + glsort_op_length, glsort_op_count);
    glsort_clear_digit_counts();
    barrier();
    for (uint i = begin; i < end; i += GLSORT_AT_ONCE * GLSORT_GROUP_SIZE) {
        // All loads are issued at once. Places past the end load the last element.
        glsort_Element records[GLSORT_AT_ONCE];
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k)
            records[k] = glsort_source_gather(min(i + k * GLSORT_GROUP_SIZE, glsort_op_count - 1u));
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k)
            if (i + k * GLSORT_GROUP_SIZE < end) glsort_count_digits(records[k], glsort_op_first, glsort_op_end);
    }
    uint groups = (glsort_op_count - 1u) / glsort_op_length + 1u;
    for (uint i = number * GLSORT_GROUP_SIZE + GLSORT_LANE; i < glsort_op_status; i += groups * GLSORT_GROUP_SIZE)
        glsort_status_scatter(i, 0u);
    barrier();
    glsort_add_digit_counts(number);
}
