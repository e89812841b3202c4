// Sums up the visible items of all tiles before each tile; behind the last tile, of all tiles. One group: each invocation
// handles neighbouring tiles.
//
// expects ports: marks, offsets, scene_status
// expects parameters: tiles
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MARK_WORDS

#include "lib/group_scan.glsl"

shared uint glsort_clamped;

uint glsort_mark_word(uint tile, uint from_end) {
    return glsort_marks_gather((tile + 1u) * GLSORT_MARK_WORDS - from_end);
}

void glsort_kernel(glsort_Index instance) {
    if (GLSORT_LANE == 0u) glsort_clamped = 0u;
    barrier();
    uint each = (glsort_op_tiles + GLSORT_GROUP_SIZE - 1u) / GLSORT_GROUP_SIZE;
    uint begin = min(GLSORT_LANE * each, glsort_op_tiles);
    uint end = min(begin + each, glsort_op_tiles);
    uint sum = 0u;
    for (uint tile = begin; tile < end; ++tile) {
        sum += glsort_mark_word(tile, 2u);
        if (glsort_mark_word(tile, 1u) != 0u) atomicOr(glsort_clamped, 1u);
    }
    uint total;
    uint before = glsort_group_scan(sum, GLSORT_GROUP_SIZE, total);
    for (uint tile = begin; tile < end; ++tile) {
        glsort_offsets_scatter(tile, before);
        before += glsort_mark_word(tile, 2u);
    }
    if (GLSORT_LANE == 0u) glsort_offsets_scatter(glsort_op_tiles, total);
    if (GLSORT_LANE < 4u)
        glsort_scene_status_scatter(GLSORT_LANE,
                                    GLSORT_LANE == 0u ? total : GLSORT_LANE == 1u ? glsort_clamped : 0u);
}
