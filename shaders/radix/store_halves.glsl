// The store chunk of a sweep that writes two halves (src/glsort/plan/radix/halves.h). GLSORT_MIDDLE: the first place of
// the upper half. The composer puts the place of an element into glsort_element.
//
// expects ports: lower_out, upper_out
// expects macros: GLSORT_MIDDLE

#include "lib/element.glsl"

void glsort_store(glsort_Element record) {
    if (glsort_element < GLSORT_MIDDLE) glsort_lower_out_scatter(glsort_element, record);
    else glsort_upper_out_scatter(glsort_element - GLSORT_MIDDLE, record);
}
