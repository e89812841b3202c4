// Counts how often each digit value occurs in a partition.
//
// expects ports: counts, source
// expects parameters: bits, count, length, shift, parts
// expects macros: GLSORT_DIGITS, GLSORT_GROUP_SIZE, GLSORT_LANE
// ignores macros: GLSORT_ELEMENTS, GLSORT_ROUND_BITS, GLSORT_SCAN_ROW, GLSORT_TILE

#include "lib/layout.glsl"
#include "radix/radix_digit.glsl"

shared uint glsort_digit_counts[GLSORT_DIGITS];

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    for (uint digit = GLSORT_LANE; digit < GLSORT_DIGITS; digit += GLSORT_GROUP_SIZE) glsort_digit_counts[digit] = 0u;
    barrier();
    uint begin = number * glsort_op_length;
    uint end = min(begin + glsort_op_length, glsort_op_count);
    for (uint i = begin + GLSORT_LANE; i < end; i += GLSORT_GROUP_SIZE)
        atomicAdd(glsort_digit_counts[glsort_digit_of(glsort_source_gather(i), glsort_op_shift, glsort_op_bits)], 1u);
    barrier();
    for (uint digit = GLSORT_LANE; digit < GLSORT_DIGITS; digit += GLSORT_GROUP_SIZE)
        glsort_counts_scatter(digit * glsort_op_parts + number, glsort_digit_counts[digit]);
}
