// Differences of codes as glsort_compared gives codes: bits that are not compared are zero (compared_bits.glsl).
//
// expects parameters: high_mask, mask
// expects macros: GLSORT_KEY_WORDS

#include "lib/element.glsl"

#if GLSORT_KEY_WORDS == 1
glsort_Key glsort_lowest_code() { return 0u; }
glsort_Key glsort_highest_code() { return glsort_op_mask; }
glsort_Key glsort_code_minus(glsort_Key code, glsort_Key other) { return code - other; }
uint glsort_code_bits(glsort_Key code) { return uint(findMSB(code) + 1); }
#else
glsort_Key glsort_lowest_code() { return uvec2(0u); }
glsort_Key glsort_highest_code() { return uvec2(glsort_op_high_mask, glsort_op_mask); }
glsort_Key glsort_code_minus(glsort_Key code, glsort_Key other) {
    return uvec2(code.x - other.x - uint(code.y < other.y), code.y - other.y);
}
uint glsort_code_bits(glsort_Key code) { return uint(code.x != 0u ? findMSB(code.x) + 33 : findMSB(code.y) + 1); }
#endif
