// The compared bits of an element's code, in order. All other bits are zero.
//
// expects parameters: high_mask, mask
// expects macros: GLSORT_KEY_WORDS

#include "lib/element.glsl"

#if GLSORT_KEY_WORDS == 1
glsort_Key glsort_compared(glsort_Element record) { return glsort_key_of(record) & glsort_op_mask; }
#else
glsort_Key glsort_compared(glsort_Element record) {
    return glsort_key_of(record) & uvec2(glsort_op_high_mask, glsort_op_mask);
}
#endif
