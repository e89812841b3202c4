// Counts in shared memory how often each digit value of each pass occurs, and adds the counts of a group to `sums`.
// Barriers must separate the three steps.
//
// expects ports: sums
// expects macros: GLSORT_DIGITS, GLSORT_DIGIT_BITS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_PASSES

#include "radix/radix_digit.glsl"

const uint GLSORT_COLUMNS = GLSORT_PASSES * GLSORT_DIGITS;

shared uint glsort_digit_counts[GLSORT_COLUMNS];

void glsort_clear_digit_counts() {
    for (uint i = GLSORT_LANE; i < GLSORT_COLUMNS; i += GLSORT_GROUP_SIZE) glsort_digit_counts[i] = 0u;
}

// `first`, `end`: the bits of the code that have digits.
void glsort_count_digits(glsort_Element record, uint first, uint end) {
    for (uint pass = 0u; pass < GLSORT_PASSES; ++pass) {
        uint shift = first + pass * GLSORT_DIGIT_BITS;
        uint digit = glsort_digit_of(record, shift, min(GLSORT_DIGIT_BITS, end - shift));
        atomicAdd(glsort_digit_counts[pass * GLSORT_DIGITS + digit], 1u);
    }
}

void glsort_add_digit_counts() {
    for (uint i = GLSORT_LANE; i < GLSORT_COLUMNS; i += GLSORT_GROUP_SIZE)
        if (glsort_digit_counts[i] > 0u) glsort_sums_add(i, glsort_digit_counts[i]);
}
