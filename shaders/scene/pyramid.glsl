// The pyramid of counts above the items of a scene (src/glsort/plan/scene/pyramid_kernels.h).
// GLSORT_HEADER(0u): the number of levels. GLSORT_HEADER(level): where a level begins in the stream of its parity.
//
// expects ports: even, odd
// expects macros: GLSORT_HEADER

#include "lib/bits.glsl"

uvec4 glsort_record_at(uint level, uint number) {
    uint place = GLSORT_HEADER(level) + number;
    return level % 2u == 0u ? glsort_even_gather(place) : glsort_odd_gather(place);
}

uint glsort_visible_items() {
    uvec4 sums = glsort_record_at(GLSORT_HEADER(0u), 0u);
    return sums.x + sums.y + sums.z + sums.w;
}

// The part of a record, 0 to 3, that contains visible item number `left` of the record, counted from 0. Subtracts the
// items of the earlier parts from `left`.
uint glsort_part_of(uvec4 counts, inout uint left) {
    uvec3 before = uvec3(counts.x, counts.x + counts.y, counts.x + counts.y + counts.z);
    uvec3 passed = uvec3(greaterThanEqual(uvec3(left), before));
    // Parts are passed in order, so the last part that is passed has the greatest sum.
    uvec3 sums = before * passed;
    left -= max(max(sums.x, sums.y), sums.z);
    return passed.x + passed.y + passed.z;
}

// Where visible item k lies: the record of bits, and how many visible items of the record come before.
uvec2 glsort_descend(uint k) {
    uint number = 0u;
    for (uint level = GLSORT_HEADER(0u); level > 1u; --level)
        number = 4u * number + glsort_part_of(glsort_record_at(level, number), k);
    return uvec2(number, k);
}

// Visible item number `left` of a record whose bits are given, counted from 0.
uint glsort_item_of(uint record, uvec4 bits, uint left) {
    uint word = glsort_part_of(glsort_bit_counts(bits), left);
    return 128u * record + 32u * word + glsort_place_of_bit(bits[word], left);
}
