// A digit of an element: `bits` bits of its code, from bit `shift` on. GLSORT_ALIGNED: no digit lies across two words.
//
// expects macros: GLSORT_ELEMENT_WORDS, GLSORT_KEY_WORDS
// allows macros: GLSORT_ALIGNED

#include "lib/element.glsl"
#include "radix/code_shifted.glsl"

// An element whose code is `number`. Ranks by digits then serve to rank by other numbers (splitter_divide.glsl).
glsort_Element glsort_element_with(uint number) {
#if GLSORT_ELEMENT_WORDS == 1
    return number;
#else
    glsort_Element record = glsort_Element(0u);
    record[GLSORT_KEY_WORDS - 1] = number;
    return record;
#endif
}

uint glsort_digit_of(glsort_Element record, uint shift, uint bits) {
    uint mask = (1u << bits) - 1u;
#if GLSORT_KEY_WORDS == 1
    return glsort_key_of(record) >> shift & mask;
#else
    uvec2 code = glsort_key_of(record);
#if defined(GLSORT_ALIGNED)
    // Masks select the word: a conditional makes a sweep slower on NVIDIA's GPUs (docs/experiments/radix.md).
    uint high = 0u - (shift >> 5u);
    return (code.x & high | code.y & ~high) >> (shift & 31u) & mask;
#else
    return glsort_code_shifted(code, shift) & mask;
#endif
#endif
}
