// The corners of a triangle, from the caller's index buffer.
//
// expects ports: indices, triangles
// allows parameters: *
// allows macros: GLSORT_SHORT_INDICES

#include "scene/sink_kernel.glsl"

uint glsort_index_at(uint number) {
#if defined(GLSORT_SHORT_INDICES)
    uint word = glsort_indices_gather(number / 2u);
    return number % 2u == 0u ? word & 0xffffu : word >> 16u;
#else
    return glsort_indices_gather(number);
#endif
}

void glsort_write_sink(uint place, bool visible) {
    uvec3 corners = uvec3(0xffffffffu);
    if (visible) {
        uvec2 item = glsort_scene_item(glsort_item_at(place));
        uint first = glsort_op_parameter(2u * item.x) + 3u * item.y;
        corners = uvec3(glsort_index_at(first), glsort_index_at(first + 1u), glsort_index_at(first + 2u)) +
                  glsort_op_parameter(2u * item.x + 1u);
    }
    glsort_triangles_write(corners);
}
