// The load chunk of the last sweep, if the last digit and the value share a word
// (src/glsort/plan/radix/packed_digit.h). All other bits of the code are 0.
//
// expects ports: packed
// expects macros: GLSORT_KEY_WORDS, GLSORT_PACKED_BITS, GLSORT_PACKED_SHIFT

#include "lib/element.glsl"

glsort_Element glsort_load(uint number) {
    uint word = glsort_packed_gather(number);
    uint value = word << GLSORT_PACKED_BITS >> GLSORT_PACKED_BITS;
    uint digit = word >> 32u - GLSORT_PACKED_BITS;
#if GLSORT_KEY_WORDS == 1
    return glsort_Element(digit << GLSORT_PACKED_SHIFT, value);
#else
    // Codes begin with the high word.
    uint low = GLSORT_PACKED_SHIFT < 32u ? digit << GLSORT_PACKED_SHIFT % 32u : 0u;
    uint high = GLSORT_PACKED_SHIFT < 32u ? digit >> 1u >> 31u - GLSORT_PACKED_SHIFT % 32u
                                          : digit << GLSORT_PACKED_SHIFT % 32u;
    return glsort_Element(high, low, value);
#endif
}
