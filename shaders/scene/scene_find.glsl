// Writes a header: the number of visible items, the number of levels, and where each level begins. Then writes the
// first of each block of neighbouring visible items, and 0 for blocks behind the visible items.
//
// expects ports: found
// expects macros: GLSORT_HEADER_RECORDS, GLSORT_NEIGHBOURS
// allows parameters: *

#include "lib/layout.glsl"
#include "scene/pyramid.glsl"

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    uint found = 0u;
    if (number == 0u) {
        found = glsort_visible_items();
    } else if (number < GLSORT_HEADER_RECORDS) {
        found = glsort_op_parameter(number - 1u);
    } else {
        uint k = GLSORT_NEIGHBOURS * (number - GLSORT_HEADER_RECORDS);
        if (k < glsort_visible_items()) {
            uvec2 place = glsort_descend(k);
            found = glsort_item_of(place.x, glsort_record_at(1u, place.x), place.y);
        }
    }
    glsort_found_write(found);
}
