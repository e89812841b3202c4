// Calls the caller's `sort_key` for each element of a tile, once. Writes the keys of visible elements to the front of
// the tile, and the tile's mark (src/glsort/plan/scene/tile_kernels.h).
//
// expects ports: keys, marks
// expects parameters: base, count, first_tile
// expects macros: GLSORT_CLAMPED, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MARK_WORDS
// expects macros: GLSORT_SCENE_KEY, GLSORT_SCENE_TILE
// allows macros: GLSORT_ITEM_BITS

#include "lib/layout.glsl"
#include "scene/given_count.glsl"
#include "scene/stored_key.glsl"
#include "scene/tile_bits.glsl"

const uint GLSORT_EACH = GLSORT_SCENE_TILE / GLSORT_GROUP_SIZE;

void glsort_kernel(glsort_Index instance) {
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE) glsort_bits[i] = 0u;
    barrier();
    uint given = glsort_given_count();
    uint count = min(given, glsort_op_count);
    uint first = glsort_op_base + instance * GLSORT_SCENE_TILE;
    glsort_Stored mine[GLSORT_EACH];
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        uint element = instance * GLSORT_SCENE_TILE + i;
        if (element >= count) continue;
        GLSORT_SCENE_KEY key;
        if (!sort_key(element, key)) continue;
        mine[k] = glsort_stored_key(key);
#if defined(GLSORT_ITEM_BITS)
        mine[k] = mine[k] << GLSORT_ITEM_BITS | (first + i);
#endif
        atomicOr(glsort_bits[i / 32u], 1u << i % 32u);
    }
    barrier();
    glsort_count_before();
    barrier();
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        if (glsort_is_visible(i)) glsort_keys_scatter(first + glsort_rank_of(i), mine[k]);
    }
    uint mark = (glsort_op_first_tile + instance) * GLSORT_MARK_WORDS;
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE)
        glsort_marks_scatter(mark + i, glsort_bits[i]);
    if (GLSORT_LANE == 0u) {
        uint visible = glsort_before[GLSORT_BIT_WORDS - 1u] + uint(bitCount(glsort_bits[GLSORT_BIT_WORDS - 1u]));
        glsort_marks_scatter(mark + GLSORT_BIT_WORDS, given > glsort_op_count ? visible | GLSORT_CLAMPED : visible);
    }
}
