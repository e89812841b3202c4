// Counts in shared memory how often each digit value of each pass occurs, and adds the counts of a group to `sums`.
// Barriers must separate the three steps: to clear, to count, and to add.
//
// Neighbours often have equal top digits, and atomic additions to one word run one after the other. The last pass
// therefore has several copies of its counts, for different invocations.
//
// expects ports: sums
// expects macros: GLSORT_COUNT_COPIES, GLSORT_DIGITS, GLSORT_DIGIT_BITS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_PASSES

#include "radix/radix_digit.glsl"

const uint GLSORT_COLUMNS = GLSORT_PASSES * GLSORT_DIGITS;
const uint GLSORT_FIRST_COPIED = GLSORT_COLUMNS - GLSORT_DIGITS;
// Columns between the first columns of two neighbouring groups. These counts fill a cache line of the GPU.
const uint GLSORT_COLUMN_STEP = 32u;
const uint GLSORT_COUNTERS = GLSORT_FIRST_COPIED + GLSORT_DIGITS * GLSORT_COUNT_COPIES;

shared uint glsort_digit_counts[GLSORT_COUNTERS];

void glsort_clear_digit_counts() {
    for (uint i = GLSORT_LANE; i < GLSORT_COUNTERS; i += GLSORT_GROUP_SIZE) glsort_digit_counts[i] = 0u;
}

// Counts the digits of bits `first` to `end` - 1 of the element's code.
void glsort_count_digits(glsort_Element record, uint first, uint end) {
    for (uint pass = 0u; pass < GLSORT_PASSES; ++pass) {
        uint shift = first + pass * GLSORT_DIGIT_BITS;
        uint digit = glsort_digit_of(record, shift, min(GLSORT_DIGIT_BITS, end - shift));
        uint counter = pass * GLSORT_DIGITS + digit;
        if (pass + 1u == GLSORT_PASSES)
            counter = GLSORT_FIRST_COPIED + digit * GLSORT_COUNT_COPIES + GLSORT_LANE % GLSORT_COUNT_COPIES;
        atomicAdd(glsort_digit_counts[counter], 1u);
    }
}

uint glsort_digit_count(uint column) {
    if (column < GLSORT_FIRST_COPIED) return glsort_digit_counts[column];
    uint sum = 0u;
    for (uint copy = 0u; copy < GLSORT_COUNT_COPIES; ++copy)
        sum += glsort_digit_counts[GLSORT_FIRST_COPIED + (column - GLSORT_FIRST_COPIED) * GLSORT_COUNT_COPIES + copy];
    return sum;
}

// `group`: the number of the group. Groups begin at different columns, so that groups that run side by side add to
// different words.
void glsort_add_digit_counts(uint group) {
    for (uint i = GLSORT_LANE; i < GLSORT_COLUMNS; i += GLSORT_GROUP_SIZE) {
        uint column = (group * GLSORT_COLUMN_STEP + i) % GLSORT_COLUMNS;
        uint count = glsort_digit_count(column);
        if (count > 0u) glsort_sums_add(column, count);
    }
}
