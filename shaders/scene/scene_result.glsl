// Calls the caller's `sort_result` for an item.
//
// expects ports: result
// expects macros: GLSORT_VECTORS
// allows macros: GLSORT_VISIBLE_ONLY

#include "scene/sorted_item.glsl"

void glsort_kernel(glsort_Index instance) {
    uint place = glsort_number_of(instance);
    bool visible = glsort_is_visible(place);
#if defined(GLSORT_VISIBLE_ONLY)
    if (!visible) return;
#endif
    uvec4 words[GLSORT_VECTORS];
    for (int i = 0; i < GLSORT_VECTORS; ++i) words[i] = uvec4(0xffffffffu);
    if (visible) sort_result(glsort_item_at(place), words);
    for (int i = 0; i < GLSORT_VECTORS; ++i) glsort_result_write(uint(i), words[i]);
}
