// Calls the caller's `sort_key` for each element of a tile, once. Writes the keys of visible elements to the front of
// the tile, and the tile's mark (src/glsort/plan/scene/tile_kernels.h). GLSORT_PASSES: the sort reads the fronts. The
// group then also counts digits, and clears words of the sort's status.
//
// expects ports: keys, marks
// allows ports: front_items, gpu_count, sort_status
// expects parameters: base, count, first_tile, place, tiles, tiles_each
// allows parameters: status, status_each
// expects macros: GLSORT_CLAMPED, GLSORT_GROUP_SIZE, GLSORT_KEY_WORDS, GLSORT_LANE, GLSORT_MARK_WORDS
// expects macros: GLSORT_SCENE_KEY, GLSORT_SCENE_TILE
// allows macros: GLSORT_END_BIT, GLSORT_FIRST_BIT, GLSORT_GPU_COUNT, GLSORT_ITEM_BITS, GLSORT_PASSES

#include "lib/layout.glsl"
#include "scene/stored_key.glsl"
#include "scene/tile_bits.glsl"
#if defined(GLSORT_PASSES)
#include "radix/digit_counts.glsl"
#endif

#if GLSORT_KEY_WORDS == 1
#define glsort_Stored uint
#define glsort_code_order(key) (key)
#else
#define glsort_Stored uvec2
#define glsort_code_order(key) (key).yx
#endif

const uint GLSORT_EACH = GLSORT_SCENE_TILE / GLSORT_GROUP_SIZE;

// `number`: of the tile in the source.
void glsort_write_tile(uint number) {
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE) glsort_bits[i] = 0u;
    barrier();
#if defined(GLSORT_GPU_COUNT)
    uint given = glsort_gpu_count_gather(0u);
#else
    uint given = glsort_op_count;
#endif
    uint count = min(given, glsort_op_count);
    uint first = glsort_op_base + number * GLSORT_SCENE_TILE;
    uint place = glsort_op_place + number * GLSORT_SCENE_TILE;
    glsort_Stored mine[GLSORT_EACH];
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        uint element = number * GLSORT_SCENE_TILE + i;
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
    uint visible = glsort_before[GLSORT_BIT_WORDS - 1u] + uint(bitCount(glsort_bits[GLSORT_BIT_WORDS - 1u]));
    for (uint k = 0u; k < GLSORT_EACH; ++k) {
        uint i = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        if (!glsort_is_visible(i)) continue;
        uint rank = glsort_rank_of(i);
        glsort_keys_scatter(place + rank, mine[k]);
#if defined(GLSORT_PASSES)
        glsort_count_digits(glsort_encode_key(glsort_code_order(mine[k])), GLSORT_FIRST_BIT, GLSORT_END_BIT);
#if !defined(GLSORT_ITEM_BITS)
        // The items of a full tile follow from its first item.
        if (visible < GLSORT_SCENE_TILE) glsort_front_items_scatter(place + rank, first + i);
#endif
#endif
    }
    uint mark = (glsort_op_first_tile + number) * GLSORT_MARK_WORDS;
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE)
        glsort_marks_scatter(mark + i, glsort_bits[i]);
    if (GLSORT_LANE == 0u) {
        glsort_marks_scatter(mark + GLSORT_BIT_WORDS, given > glsort_op_count ? visible | GLSORT_CLAMPED : visible);
        glsort_marks_scatter(mark + GLSORT_BIT_WORDS + 1u, first);
    }
}

void glsort_kernel(glsort_Index instance) {
    uint first = instance * glsort_op_tiles_each;
    uint end = min(first + glsort_op_tiles_each, glsort_op_tiles);
#if defined(GLSORT_PASSES)
    glsort_clear_digit_counts();
#endif
    for (uint number = first; number < end; ++number) {
        glsort_write_tile(number);
        barrier();
    }
#if defined(GLSORT_PASSES)
    glsort_add_digit_counts(instance);
    uint status_end = min((glsort_op_first_tile + end) * glsort_op_status_each, glsort_op_status);
    for (uint i = (glsort_op_first_tile + first) * glsort_op_status_each + GLSORT_LANE; i < status_end;
         i += GLSORT_GROUP_SIZE)
        glsort_sort_status_scatter(i, 0u);
#endif
}
