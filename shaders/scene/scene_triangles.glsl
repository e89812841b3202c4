// The corners of a triangle, a line or a point, from the caller's index buffer.
//
// expects ports: indices, triangles
// allows parameters: *
// expects macros: GLSORT_CORNERS
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
        uint first = glsort_op_parameter(2u * item.x) + uint(GLSORT_CORNERS) * item.y;
        corners.x = glsort_index_at(first);
#if GLSORT_CORNERS > 1
        corners.y = glsort_index_at(first + 1u);
#endif
#if GLSORT_CORNERS > 2
        corners.z = glsort_index_at(first + 2u);
#endif
        corners += glsort_op_parameter(2u * item.x + 1u);
    }
#if GLSORT_CORNERS == 1
    glsort_triangles_write(corners.x);
#elif GLSORT_CORNERS == 2
    glsort_triangles_write(corners.xy);
#else
    glsort_triangles_write(corners);
#endif
}
