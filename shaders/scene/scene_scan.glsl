// Sums up the visible items of all tiles before each tile; behind the last tile, of all tiles. One group: each invocation
// handles some neighbouring tiles at once.
//
// expects ports: marks, offsets, scene_status
// expects parameters: tiles
// expects macros: GLSORT_CLAMPED, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MARK_WORDS

#include "lib/group_scan.glsl"
#include "lib/layout.glsl"

const uint GLSORT_AT_ONCE = 8u;

shared uint glsort_clamped;

void glsort_kernel(glsort_Index instance) {
    if (GLSORT_LANE == 0u) glsort_clamped = 0u;
    barrier();
    uint before = 0u;
    for (uint first = 0u; first < glsort_op_tiles; first += GLSORT_AT_ONCE * GLSORT_GROUP_SIZE) {
        uint tile = first + GLSORT_AT_ONCE * GLSORT_LANE;
        // Issues all loads at once. Places past the end load the last mark.
        uint words[GLSORT_AT_ONCE];
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k)
            words[k] = glsort_marks_gather((min(tile + k, glsort_op_tiles - 1u) + 1u) * GLSORT_MARK_WORDS - 1u);
        uint sum = 0u;
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) {
            if (words[k] >= GLSORT_CLAMPED) atomicOr(glsort_clamped, 1u);
            words[k] = tile + k < glsort_op_tiles ? words[k] & ~GLSORT_CLAMPED : 0u;
            sum += words[k];
        }
        uint total;
        uint offset = before + glsort_group_scan(sum, GLSORT_GROUP_SIZE, total);
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) {
            if (tile + k < glsort_op_tiles) glsort_offsets_scatter(tile + k, offset);
            offset += words[k];
        }
        before += total;
        barrier();
    }
    if (GLSORT_LANE == 0u) glsort_offsets_scatter(glsort_op_tiles, before);
    if (GLSORT_LANE < 4u)
        glsort_scene_status_scatter(GLSORT_LANE,
                                    GLSORT_LANE == 0u ? before : GLSORT_LANE == 1u ? glsort_clamped : 0u);
}
