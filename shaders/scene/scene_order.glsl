// The number of an item.
//
// expects ports: order
// allows macros: GLSORT_VISIBLE_ONLY

#include "scene/sorted_item.glsl"

void glsort_kernel(glsort_Index instance) {
    uint place = glsort_number_of(instance);
    bool visible = glsort_is_visible(place);
#if defined(GLSORT_VISIBLE_ONLY)
    if (!visible) return;
#endif
    glsort_order_write(visible ? glsort_item_at(place) : 0xffffffffu);
}
