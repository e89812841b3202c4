// The store chunk of the sweep before the last, if nobody reads the sorted keys. The last digit and the value share a
// word (src/glsort/plan/radix/packed_digit.h).
//
// expects ports: packed_out
// expects macros: GLSORT_PACKED_BITS, GLSORT_PACKED_SHIFT

#include "lib/element.glsl"
#include "radix/radix_digit.glsl"

void glsort_store(glsort_Element record) {
    uint digit = glsort_digit_of(record, GLSORT_PACKED_SHIFT, GLSORT_PACKED_BITS);
    glsort_packed_out_write(digit << 32u - GLSORT_PACKED_BITS | glsort_index_in_input(record));
}
