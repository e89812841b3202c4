// Counts how often each digit value of each pass occurs, and clears `status`.
//
// Each group adds the counts of its partition to `sums`. Then the group adds one to the word after the counts. The last
// group to do so moves the sums to `totals`, and leaves zeros for the next sort. No group waits.
//
// expects ports: source, status, sums, totals
// expects parameters: count, end, first, length, status
// expects macros: GLSORT_DIGITS, GLSORT_DIGIT_BITS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_PASSES
// ignores macros: GLSORT_ELEMENTS, GLSORT_ROUND_BITS, GLSORT_SCAN_ROW, GLSORT_TILE

#include "lib/layout.glsl"
#include "radix/radix_digit.glsl"

#pragma optionNV(unroll all)

const uint GLSORT_AT_ONCE = 8u;
const uint GLSORT_COLUMNS = GLSORT_PASSES * GLSORT_DIGITS;

shared uint glsort_digit_counts[GLSORT_COLUMNS];
shared uint glsort_groups_done;

void glsort_count_digits(glsort_Element record) {
    for (uint pass = 0u; pass < GLSORT_PASSES; ++pass) {
        uint shift = glsort_op_first + pass * GLSORT_DIGIT_BITS;
        uint digit = glsort_digit_of(record, shift, min(GLSORT_DIGIT_BITS, glsort_op_end - shift));
        atomicAdd(glsort_digit_counts[pass * GLSORT_DIGITS + digit], 1u);
    }
}

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    uint begin = number * glsort_op_length + GLSORT_LANE;
    uint end = min(number * glsort_op_length + glsort_op_length, glsort_op_count);
    for (uint i = GLSORT_LANE; i < GLSORT_COLUMNS; i += GLSORT_GROUP_SIZE) glsort_digit_counts[i] = 0u;
    barrier();
    for (uint i = begin; i < end; i += GLSORT_AT_ONCE * GLSORT_GROUP_SIZE) {
        // Issues all loads at once. Places past the end load the last element.
        glsort_Element records[GLSORT_AT_ONCE];
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k)
            records[k] = glsort_source_gather(min(i + k * GLSORT_GROUP_SIZE, glsort_op_count - 1u));
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k)
            if (i + k * GLSORT_GROUP_SIZE < end) glsort_count_digits(records[k]);
    }
    uint groups = (glsort_op_count - 1u) / glsort_op_length + 1u;
    for (uint i = number * GLSORT_GROUP_SIZE + GLSORT_LANE; i < glsort_op_status; i += groups * GLSORT_GROUP_SIZE)
        glsort_status_scatter(i, 0u);
    barrier();
    for (uint i = GLSORT_LANE; i < GLSORT_COLUMNS; i += GLSORT_GROUP_SIZE)
        if (glsort_digit_counts[i] > 0u) glsort_sums_add(i, glsort_digit_counts[i]);
    memoryBarrierBuffer();
    barrier();
    if (GLSORT_LANE == 0u) glsort_groups_done = glsort_sums_add(GLSORT_COLUMNS, 1u) + 1u;
    barrier();
    if (glsort_groups_done < groups) return;
    memoryBarrierBuffer();
    for (uint i = GLSORT_LANE; i < GLSORT_COLUMNS; i += GLSORT_GROUP_SIZE) {
        glsort_totals_scatter(i, glsort_sums_load(i));
        glsort_sums_scatter(i, 0u);
    }
    if (GLSORT_LANE == 0u) glsort_sums_scatter(GLSORT_COLUMNS, 0u);
}
