// Computes the keys of a tile, which go to its front, and writes the tile's mark (src/glsort/plan/scene/tile_kernels.h).
//
// expects ports: marks
// expects parameters: base, count, first_tile
// expects macros: GLSORT_CLAMPED, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MARK_WORDS, GLSORT_SCENE_TILE

#include "lib/layout.glsl"
#include "scene/given_count.glsl"
#include "scene/tile_keys.glsl"

void glsort_kernel(glsort_Index instance) {
    uint given = glsort_given_count();
    uint first = instance * GLSORT_SCENE_TILE;
    uint visible = glsort_write_front(first, min(given, glsort_op_count), glsort_op_base + first);
    uint mark = (glsort_op_first_tile + instance) * GLSORT_MARK_WORDS;
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE)
        glsort_marks_scatter(mark + i, glsort_bits[i]);
    if (GLSORT_LANE == 0u)
        glsort_marks_scatter(mark + GLSORT_BIT_WORDS, given > glsort_op_count ? visible | GLSORT_CLAMPED : visible);
}
