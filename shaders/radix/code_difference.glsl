// Differences of codes. Bits that are not compared take no part: the lowest code has zeros there.
//
// expects parameters: high_mask, mask
// expects macros: GLSORT_ELEMENT_WORDS, GLSORT_KEY_WORDS

#include "lib/element.glsl"

#if GLSORT_KEY_WORDS == 1
glsort_Key glsort_lowest_code() { return 0u; }
glsort_Key glsort_highest_code() { return glsort_op_mask; }
glsort_Key glsort_code_minus(glsort_Key code, glsort_Key other) { return code - other; }
uint glsort_code_bits(glsort_Key code) { return uint(findMSB(code) + 1); }
uint glsort_code_shifted(glsort_Key code, uint shift) { return code >> shift; }
#else
glsort_Key glsort_lowest_code() { return uvec2(0u); }
glsort_Key glsort_highest_code() { return uvec2(glsort_op_high_mask, glsort_op_mask); }
glsort_Key glsort_code_minus(glsort_Key code, glsort_Key other) {
    return uvec2(code.x - other.x - uint(code.y < other.y), code.y - other.y);
}
uint glsort_code_bits(glsort_Key code) { return uint(code.x != 0u ? findMSB(code.x) + 33 : findMSB(code.y) + 1); }
// The low word of the shifted code.
uint glsort_code_shifted(glsort_Key code, uint shift) {
    if (shift >= 32u) return code.x >> (shift - 32u);
    // A shift by 32 is undefined.
    return code.y >> shift | code.x << 1u << (31u - shift);
}
#endif

// An element whose code is a number.
glsort_Element glsort_element_with(uint number) {
#if GLSORT_ELEMENT_WORDS == 1
    return number;
#else
    glsort_Element record = glsort_Element(0u);
    record[GLSORT_KEY_WORDS - 1] = number;
    return record;
#endif
}
