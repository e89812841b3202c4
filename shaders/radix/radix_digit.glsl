// A digit of an element: `bits` bits of its code, from bit `shift` on. GLSORT_ALIGNED: no digit crosses two words.
//
// expects macros: GLSORT_KEY_WORDS
// allows macros: GLSORT_ALIGNED

#include "lib/element.glsl"

uint glsort_digit_of(glsort_Element record, uint shift, uint bits) {
    uint mask = (1u << bits) - 1u;
#if GLSORT_KEY_WORDS == 1
    return glsort_key_of(record) >> shift & mask;
#else
    uvec2 code = glsort_key_of(record);
#if defined(GLSORT_ALIGNED)
    // Without a conditional, which NVIDIA's compiler implements as a select between two results (docs/experiments.md).
    uint high = 0u - (shift >> 5u);
    return (code.x & high | code.y & ~high) >> (shift & 31u) & mask;
#else
    if (shift >= 32u) return code.x >> (shift - 32u) & mask;
    // A shift by 32 is undefined.
    return (code.y >> shift | code.x << 1u << (31u - shift)) & mask;
#endif
#endif
}
