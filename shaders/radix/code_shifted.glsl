// The low word of a code that is shifted right. `shift`: 0 to 31, or to 63 if codes have two words.
//
// expects macros: GLSORT_KEY_WORDS

#include "lib/element.glsl"

#if GLSORT_KEY_WORDS == 1
uint glsort_code_shifted(glsort_Key code, uint shift) { return code >> shift; }
#else
uint glsort_code_shifted(glsort_Key code, uint shift) {
    // A shift by 32 is undefined, so the high word is shifted in two steps.
    return shift >= 32u ? code.x >> (shift - 32u) : code.y >> shift | code.x << 1u << (31u - shift);
}
#endif
