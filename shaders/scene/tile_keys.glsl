// Calls the caller's `sort_key` for each element of a tile, once, and writes the keys of visible elements to the front of
// the tile. GLSORT_FRONT_ITEMS: the numbers of the items, too.
//
// expects ports: keys
// allows ports: items
// expects parameters: base
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SCENE_KEY, GLSORT_SCENE_TILE
// allows macros: GLSORT_FRONT_ITEMS, GLSORT_ITEM_BITS

#include "scene/stored_key.glsl"
#include "scene/tile_bits.glsl"

const uint GLSORT_EACH = GLSORT_SCENE_TILE / GLSORT_GROUP_SIZE;

// `first`: the first element of the tile. `count`: elements of the source. `place`: of the front. Returns the number of
// visible elements.
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
        // Not under the condition: softpipe finds the index by the first of four invocations, which must store, too.
        mine[k] = stored;
    }
    barrier();
    glsort_count_before();
    barrier();
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        if (!glsort_is_visible(i)) continue;
        uint rank = glsort_rank_of(i);
        glsort_keys_scatter(place + rank, mine[k]);
#if defined(GLSORT_FRONT_ITEMS)
        glsort_items_scatter(place + rank, glsort_op_base + first + i);
#endif
    }
    return glsort_before[GLSORT_BIT_WORDS - 1u] + uint(bitCount(glsort_bits[GLSORT_BIT_WORDS - 1u]));
}
