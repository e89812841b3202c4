// The kernel of a result in a buffer: hands each place of the order to `glsort_write_sink(place, visible)`, which the
// including file defines. A compute shader writes nothing behind the visible items. Transform feedback must write every
// place, so these places get a mark, 0xffffffff.
//
// allows macros: GLSORT_VISIBLE_ONLY

#include "lib/layout.glsl"
#include "scene/sorted_item.glsl"

void glsort_write_sink(uint place, bool visible);

void glsort_kernel(glsort_Index instance) {
    uint place = glsort_number_of(instance);
    bool visible = glsort_is_visible(place);
#if defined(GLSORT_VISIBLE_ONLY)
    if (!visible) return;
#endif
    glsort_write_sink(place, visible);
}
