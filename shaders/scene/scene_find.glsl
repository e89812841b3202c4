// Where the first of some neighbouring visible items lies: {record of bits, visible items of the record before}.
//
// expects ports: found
// expects macros: GLSORT_NEIGHBOURS

#include "lib/layout.glsl"
#include "scene/pyramid.glsl"

void glsort_kernel(glsort_Index instance) {
    uint k = GLSORT_NEIGHBOURS * glsort_number_of(instance);
    glsort_found_write(k < glsort_visible_items() ? glsort_descend(k) : uvec2(0u));
}
