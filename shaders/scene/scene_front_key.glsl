// Calls the caller's `sort_key` for each element of a tile, once. Each source is a block of the domain. Writes the keys
// of visible elements to the front of the tile, their items beside them, and how many there are
// (src/glsort/plan/scene/front_kernels.h). GLSORT_FINISHES: the last group to be done sums up the numbers of all tiles,
// and writes the results.
//
// expects ports: front_offsets, keys
// allows ports: items
// expects parameters: base, count, first_group, first_tile
// allows parameters: groups, tiles
// expects macros: GLSORT_CLAMPED, GLSORT_FIRST_OFFSET, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SCENE_KEY
// expects macros: GLSORT_SCENE_TILE
// allows macros: GLSORT_FINISHES, GLSORT_ITEM_BITS

#include "lib/layout.glsl"
#include "scene/given_count.glsl"
#include "scene/stored_key.glsl"
#include "scene/tile_bits.glsl"
#if defined(GLSORT_FINISHES)
#include "lib/group_scan.glsl"
#include "scene/scene_results.glsl"
#endif

const uint GLSORT_EACH = GLSORT_SCENE_TILE / GLSORT_GROUP_SIZE;

#if defined(GLSORT_FINISHES)
shared uint glsort_clamped;
shared uint glsort_groups_done;

// In the last group.
void glsort_sum_up_tiles() {
    if (GLSORT_LANE == 0u) glsort_clamped = 0u;
    barrier();
    uint visible = 0u;
    for (uint first = 0u; first < glsort_op_tiles; first += GLSORT_GROUP_SIZE) {
        uint place = GLSORT_FIRST_OFFSET + first + GLSORT_LANE;
        bool exists = first + GLSORT_LANE < glsort_op_tiles;
        uint word = exists ? glsort_front_offsets_load(place) : 0u;
        if (word >= GLSORT_CLAMPED) atomicOr(glsort_clamped, 1u);
        uint total;
        uint before = glsort_group_scan(word & ~GLSORT_CLAMPED, GLSORT_GROUP_SIZE, total);
        if (exists) {
            glsort_front_offsets_scatter(place, visible + before);
            glsort_front_offsets_scatter(place + glsort_op_tiles, 0xffffffffu);
        }
        visible += total;
        barrier();
    }
    if (GLSORT_LANE == 0u) glsort_front_offsets_scatter(0u, 0u);
    glsort_write_results(visible, glsort_clamped > 0u);
}
#endif

void glsort_kernel(glsort_Index instance) {
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE) glsort_bits[i] = 0u;
    barrier();
    uint given = glsort_given_count();
    uint count = min(given, glsort_op_count);
    uint group = instance - glsort_op_first_group;
    uint first = group * GLSORT_SCENE_TILE;
    glsort_Stored mine[GLSORT_EACH];
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        if (first + i >= count) continue;
        GLSORT_SCENE_KEY key;
        if (!sort_key(first + i, key)) continue;
        mine[k] = glsort_stored_key(key);
#if defined(GLSORT_ITEM_BITS)
        mine[k] = mine[k] << GLSORT_ITEM_BITS | (glsort_op_base + first + i);
#endif
        atomicOr(glsort_bits[i / 32u], 1u << i % 32u);
    }
    barrier();
    glsort_count_before();
    barrier();
    uint tile = glsort_op_first_tile + group;
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        if (!glsort_is_visible(i)) continue;
        uint place = tile * GLSORT_SCENE_TILE + glsort_rank_of(i);
        glsort_keys_scatter(place, mine[k]);
#if !defined(GLSORT_ITEM_BITS)
        glsort_items_scatter(place, glsort_op_base + first + i);
#endif
    }
    if (GLSORT_LANE == 0u) {
        uint visible = glsort_before[GLSORT_BIT_WORDS - 1u] + uint(bitCount(glsort_bits[GLSORT_BIT_WORDS - 1u]));
        uint clamped = group == 0u && given > glsort_op_count ? GLSORT_CLAMPED : 0u;
        glsort_front_offsets_scatter(GLSORT_FIRST_OFFSET + tile, visible | clamped);
#if defined(GLSORT_FINISHES)
        memoryBarrierBuffer();
        glsort_groups_done = glsort_front_offsets_add(0u, 1u) + 1u;
#endif
    }
#if defined(GLSORT_FINISHES)
    barrier();
    if (glsort_groups_done < glsort_op_groups) return;
    memoryBarrierBuffer();
    glsort_sum_up_tiles();
#endif
}
