// Moves the elements of a partition to their places. Each invocation of the group moves a part by itself. There are no
// barriers, which are expensive on software rasterisers.
//
// expects ports: offsets, source, target
// expects parameters: bits, count, length, parts, shift
// expects macros: GLSORT_DIGITS, GLSORT_GROUP_SIZE, GLSORT_LANE
// ignores macros: GLSORT_ELEMENTS, GLSORT_ROUND_BITS, GLSORT_SCAN_ROW, GLSORT_STORED_APART, GLSORT_TILE

#include "lib/layout.glsl"
#include "radix/radix_digit.glsl"

const uint GLSORT_AT_ONCE = 4u;

uint glsort_next[GLSORT_DIGITS];  // For each digit value: the place of the next element.

uint glsort_take_place(glsort_Element record) {
    uint digit = glsort_digit_of(record, glsort_op_shift, glsort_op_bits);
    uint place = glsort_next[digit];
    glsort_next[digit] = place + 1u;
    return place;
}

void glsort_kernel(glsort_Index instance) {
    uint part = glsort_number_of(instance) * GLSORT_GROUP_SIZE + GLSORT_LANE;
    uint length = glsort_op_length / GLSORT_GROUP_SIZE;
    for (uint digit = 0u; digit < GLSORT_DIGITS; ++digit)
        glsort_next[digit] = glsort_offsets_gather(digit * glsort_op_parts + part);
    uint end = min((part + 1u) * length, glsort_op_count);
    uint i = part * length;
    // In each round, all loads come before all stores, so that the CPU does not wait for one load after the other.
    for (; i + GLSORT_AT_ONCE <= end; i += GLSORT_AT_ONCE) {
        glsort_Element records[GLSORT_AT_ONCE];
        uint places[GLSORT_AT_ONCE];
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) records[k] = glsort_source_gather(i + k);
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) places[k] = glsort_take_place(records[k]);
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) glsort_target_scatter(places[k], records[k]);
    }
    for (; i < end; ++i) {
        glsort_Element record = glsort_source_gather(i);
        glsort_target_scatter(glsort_take_place(record), record);
    }
}
