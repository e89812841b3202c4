// Calls the caller's `sort_result` for an item.
//
// expects ports: result
// expects macros: GLSORT_VECTORS

#include "scene/sink_kernel.glsl"

void glsort_write_sink(uint place, bool visible) {
    uvec4 words[GLSORT_VECTORS];
    for (int i = 0; i < GLSORT_VECTORS; ++i) words[i] = uvec4(0xffffffffu);
    if (visible) sort_result(glsort_item_at(place), words);
    for (int i = 0; i < GLSORT_VECTORS; ++i) glsort_result_write(uint(i), words[i]);
}
