// Ranks the elements of a tile by a digit, by atomic additions. Elements with an equal digit get places in any order.
// So no ballots are needed.
//
// This ranking serves the first digit, in a sort of keys alone by all bits. Later sweeps order elements with equal
// first digits. Keys that are equal in all digits cannot be told apart.
//
// expects macros: GLSORT_DIGITS, GLSORT_ELEMENTS, GLSORT_LANE, GLSORT_SUBGROUP
// ignores macros: GLSORT_DIGIT_BITS, GLSORT_KEEPS_COUNTS, GLSORT_ROUND_BITS

#include "lib/group_scan.glsl"
#include "radix/radix_digit.glsl"
#include "radix/radix_memory.glsl"
#include "radix/tile_places.glsl"

#pragma optionNV(unroll all)

// Writes zeros for the counts. A barrier must follow.
void glsort_clear_counts() {
    if (GLSORT_LANE < GLSORT_DIGITS) glsort_memory[GLSORT_LANE] = 0u;
}

// Tells the kernel, as early as possible, how many elements of digit GLSORT_LANE the tile has.
void glsort_counted(uint count);

// Computes the places of the first `size` elements in the sorted tile. Missing elements keep their places. The memory
// must be zero and visible. `smaller`: how many elements have digits below GLSORT_LANE. Returns the count that
// `glsort_counted` gets.
uint glsort_rank_elements(glsort_Element mine[GLSORT_ELEMENTS], uint size, uint shift, uint bits,
                          out glsort_Places places, out uint smaller) {
    uint first = glsort_element_of(0u);
    uint rest = size - min(size, first);  // How many elements exist from the invocation's first one on.
    for (uint k = 0u; k < (GLSORT_ELEMENTS + 1u) / 2u; ++k) places[k] = 0u;
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = first + k * uint(GLSORT_SUBGROUP);
        uint digit = glsort_digit_of(mine[k], shift, bits);
        if (k * uint(GLSORT_SUBGROUP) < rest) place = atomicAdd(glsort_memory[digit], 1u);
        places[k / 2u] += place << (k % 2u * 16u);
    }
    barrier();
    uint count = 0u;
    if (GLSORT_LANE < GLSORT_DIGITS) {
        count = glsort_memory[GLSORT_LANE];
        glsort_counted(count);
    }
    uint total;
    smaller = glsort_group_scan(count, GLSORT_DIGITS, total);
    if (GLSORT_LANE < GLSORT_DIGITS) glsort_memory[GLSORT_LANE] = smaller;
    barrier();
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint before = glsort_memory[glsort_digit_of(mine[k], shift, bits)];
        if (k * uint(GLSORT_SUBGROUP) < rest) places[k / 2u] += before << (k % 2u * 16u);
    }
    barrier();
    return count;
}
