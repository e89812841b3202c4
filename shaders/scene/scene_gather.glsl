// Gathers item k of the visible items.
//
// expects ports: keyed, target
// allows macros: GLSORT_ITEM_BITS

#include "lib/layout.glsl"
#include "scene/keyed.glsl"
#include "scene/visible_items.glsl"

void glsort_kernel(glsort_Index instance) {
    uint k = glsort_number_of(instance);
    uint number = 0xffffffffu;
    glsort_Keyed keyed = glsort_Keyed(0u);
    if (k < glsort_visible_items()) {
        number = glsort_find_item(k);
        keyed = glsort_keyed_gather(number);
    }
#if defined(GLSORT_ITEM_BITS)
    glsort_target_write(number == 0xffffffffu ? number : keyed << GLSORT_ITEM_BITS | number);
#else
    glsort_target_write(glsort_key_and_item(keyed, number));
#endif
}
