// Counts how often each digit value occurs in the parts of a partition. Each invocation of the group counts a part by
// itself. There are no barriers, which are expensive on software rasterisers.
//
// expects ports: counts, source
// expects parameters: bits, count, length, parts, shift
// expects macros: GLSORT_DIGITS, GLSORT_GROUP_SIZE, GLSORT_LANE
// ignores macros: GLSORT_ELEMENTS, GLSORT_ROUND_BITS, GLSORT_SCAN_ROW, GLSORT_TILE

#include "lib/layout.glsl"
#include "radix/radix_digit.glsl"

const uint GLSORT_AT_ONCE = 4u;

uint glsort_digit_at(uint i) { return glsort_digit_of(glsort_source_gather(i), glsort_op_shift, glsort_op_bits); }

void glsort_kernel(glsort_Index instance) {
    uint part = glsort_number_of(instance) * GLSORT_GROUP_SIZE + GLSORT_LANE;
    uint length = glsort_op_length / GLSORT_GROUP_SIZE;
    uint counts[GLSORT_DIGITS];
    for (uint digit = 0u; digit < GLSORT_DIGITS; ++digit) counts[digit] = 0u;
    uint end = min((part + 1u) * length, glsort_op_count);
    uint i = part * length;
    for (; i + GLSORT_AT_ONCE <= end; i += GLSORT_AT_ONCE) {
        uint digits[GLSORT_AT_ONCE];
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) digits[k] = glsort_digit_at(i + k);
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) counts[digits[k]] += 1u;
    }
    for (; i < end; ++i) counts[glsort_digit_at(i)] += 1u;
    for (uint digit = 0u; digit < GLSORT_DIGITS; ++digit)
        glsort_counts_scatter(digit * glsort_op_parts + part, counts[digit]);
}
