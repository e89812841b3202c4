// First a header: the number of levels, and where each level begins. Then where the first of some neighbouring visible
// items lies: {record of bits, visible items of the record before}.
//
// expects ports: found
// expects macros: GLSORT_HEADER_RECORDS, GLSORT_NEIGHBOURS
// allows parameters: *

#include "lib/layout.glsl"
#include "scene/pyramid.glsl"

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    uvec2 found = uvec2(0u);
    if (number < GLSORT_HEADER_RECORDS) {
        found.x = glsort_op_parameter(number);
    } else {
        uint k = GLSORT_NEIGHBOURS * (number - GLSORT_HEADER_RECORDS);
        if (k < glsort_visible_items()) found = glsort_descend(k);
    }
    glsort_found_write(found);
}
