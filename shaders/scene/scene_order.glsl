// The number of an item.
//
// expects ports: order

#include "scene/sink_kernel.glsl"

void glsort_write_sink(uint place, bool visible) {
    glsort_order_write(visible ? glsort_item_at(place) : 0xffffffffu);
}
