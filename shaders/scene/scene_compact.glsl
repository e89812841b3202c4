// Moves the visible items of a tile to their places among all visible items: with GLSORT_KEYS the keys, which lie at
// the front of the tile; with GLSORT_ITEMS the numbers of the items.
//
// expects ports: marks, offsets
// allows ports: keys, target_items, target_keys
// expects parameters: shift, sums
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MARK_WORDS, GLSORT_SCENE_TILE, GLSORT_TILES_TOGETHER
// allows macros: GLSORT_ITEMS, GLSORT_KEYS

#include "lib/layout.glsl"
#include "scene/tile_bits.glsl"

const uint GLSORT_FIRST_OFFSET = 1u;

void glsort_kernel(glsort_Index instance) {
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE)
        glsort_bits[i] = glsort_marks_gather(instance * GLSORT_MARK_WORDS + i);
    uint start = glsort_offsets_gather(GLSORT_FIRST_OFFSET + instance) +
                 glsort_offsets_gather(GLSORT_FIRST_OFFSET + glsort_op_sums + instance / GLSORT_TILES_TOGETHER);
    barrier();
    glsort_count_before();
    barrier();
    uint first = instance * GLSORT_SCENE_TILE + glsort_op_shift;
    for (uint i = GLSORT_LANE; i < GLSORT_SCENE_TILE; i += GLSORT_GROUP_SIZE) {
        if (!glsort_is_visible(i)) continue;
        uint rank = glsort_rank_of(i);
#if defined(GLSORT_KEYS)
        glsort_target_keys_scatter(start + rank, glsort_keys_gather(first + rank));
#endif
#if defined(GLSORT_ITEMS)
        glsort_target_items_scatter(start + rank, first + i);
#endif
    }
}
