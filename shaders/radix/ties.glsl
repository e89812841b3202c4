// Ties: elements that agree in all bits below a digit. If keys have no values and all bits are sorted, ties may come in
// any order.
//
// expects macros: GLSORT_ELEMENTS, GLSORT_KEY_WORDS, GLSORT_SUBGROUP

#include "lib/element.glsl"
#include "lib/subgroup.glsl"

#if GLSORT_KEY_WORDS == 1
// The bits below bit `shift`, moved to the top of each word. `shift`: 1 to 31, or to 63 if codes have two words.
glsort_Key glsort_bits_below(glsort_Key code, uint shift) { return code << (32u - shift); }
glsort_Key glsort_code_of_lane(glsort_Key code, uint lane) { return glsort_value_of(code, lane); }
#else
glsort_Key glsort_bits_below(glsort_Key code, uint shift) {
    uint low = code.y << 31u - min(shift - 1u, 31u);
    return uvec2(shift > 32u ? code.x << (64u - shift) : 0u, low);
}
glsort_Key glsort_code_of_lane(glsort_Key code, uint lane) {
    return uvec2(glsort_value_of(code.x, lane), glsort_value_of(code.y, lane));
}
#endif

// Whether all elements of the subgroup tie. The elements are sorted by the bits below the digit, so the first and the
// last element decide. Missing elements must stay last, so a missing element ties with none. A key of all ones looks
// like a missing element. The subgroup then ranks by ballots, which is slower but right.
bool glsort_all_tie(glsort_Element mine[GLSORT_ELEMENTS], uint shift) {
    glsort_Key first = glsort_code_of_lane(glsort_key_of(mine[0]), 0u);
    glsort_Key last = glsort_code_of_lane(glsort_key_of(mine[GLSORT_ELEMENTS - 1u]), uint(GLSORT_SUBGROUP) - 1u);
    return last != GLSORT_MISSING && glsort_bits_below(first, shift) == glsort_bits_below(last, shift);
}
