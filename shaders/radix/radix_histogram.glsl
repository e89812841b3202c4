// Counts how often each digit value of each pass occurs, and clears `status`.
//
// Each group adds the counts of its partition to `sums`. Then the group adds one to the word after the counts. The last
// group to do so moves the sums to `totals`, and leaves zeros for the next sort. No group waits.
//
// expects ports: source, status, sums, totals
// expects parameters: count, end, first, length, status
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE
// ignores macros: GLSORT_ELEMENTS, GLSORT_ROUND_BITS, GLSORT_SCAN_ROW, GLSORT_TILE

#include "lib/layout.glsl"
#include "radix/digit_counts.glsl"

#pragma optionNV(unroll all)

const uint GLSORT_AT_ONCE = 8u;

shared uint glsort_groups_done;

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    uint begin = number * glsort_op_length + GLSORT_LANE;
    uint end = min(number * glsort_op_length + glsort_op_length, glsort_op_count);
    glsort_clear_digit_counts();
    barrier();
    for (uint i = begin; i < end; i += GLSORT_AT_ONCE * GLSORT_GROUP_SIZE) {
        // Issues all loads at once. Places past the end load the last element.
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
