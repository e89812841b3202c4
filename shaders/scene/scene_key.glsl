// Calls the caller's `sort_key` for each element of a tile. Writes the keys of visible elements to the front of the
// tile, and the tile's mark (src/glsort/plan/scene/tile_kernels.h).
//
// expects ports: keys, marks
// expects parameters: base, count, first_tile
// expects macros: GLSORT_CLAMPED, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MARK_WORDS, GLSORT_SCENE_KEY
// expects macros: GLSORT_SCENE_TILE
// allows macros: GLSORT_ITEM_BITS

#include "lib/layout.glsl"
#include "scene/given_count.glsl"
#include "scene/stored_key.glsl"
#include "scene/tile_bits.glsl"

const uint GLSORT_EACH = GLSORT_SCENE_TILE / GLSORT_GROUP_SIZE;

// Calls `sort_key` once for each element of the tile. `first`: the first element of the tile. `count`: elements of the
// source. `place`: the place of the front. Returns the number of visible elements.
uint glsort_write_front(uint first, uint count, uint place) {
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE) glsort_bits[i] = 0u;
    barrier();
    glsort_Stored mine[GLSORT_EACH];
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        GLSORT_SCENE_KEY key;
        glsort_Stored stored = glsort_Stored(0u);
        if (first + i < count && sort_key(first + i, key)) {
            stored = glsort_stored_key(key);
#if defined(GLSORT_ITEM_BITS)
            stored = stored << GLSORT_ITEM_BITS | (glsort_op_base + first + i);
#endif
            atomicOr(glsort_bits[i / 32u], 1u << i % 32u);
        }
        // Outside of the condition: softpipe runs four invocations at once, and takes the array index of the first one
        // for all. So all four must store.
        mine[k] = stored;
    }
    barrier();
    glsort_count_before();
    barrier();
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        if (glsort_is_visible(i)) glsort_keys_scatter(place + glsort_rank_of(i), mine[k]);
    }
    return glsort_before[GLSORT_BIT_WORDS - 1u] + uint(bitCount(glsort_bits[GLSORT_BIT_WORDS - 1u]));
}

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
