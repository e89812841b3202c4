// Calls the caller's `sort_key` for each element of a tile, once. Writes the keys of visible elements, and the tile's
// mark (src/glsort/plan/scene/tile_kernels.h).
//
// expects ports: keys, marks
// allows ports: gpu_count
// expects parameters: base, count, first_tile
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MARK_WORDS, GLSORT_SCENE_KEY
// expects macros: GLSORT_SCENE_TILE
// allows macros: GLSORT_GPU_COUNT, GLSORT_ITEM_BITS

#include "scene/stored_key.glsl"

const uint GLSORT_BIT_WORDS = GLSORT_SCENE_TILE / 32u;

shared uint glsort_bits[GLSORT_BIT_WORDS];

void glsort_kernel(glsort_Index instance) {
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE) glsort_bits[i] = 0u;
    barrier();
#if defined(GLSORT_GPU_COUNT)
    uint given = glsort_gpu_count_gather(0u);
#else
    uint given = glsort_op_count;
#endif
    uint count = min(given, glsort_op_count);
    for (uint i = GLSORT_LANE; i < GLSORT_SCENE_TILE; i += GLSORT_GROUP_SIZE) {
        uint element = instance * GLSORT_SCENE_TILE + i;
        if (element >= count) continue;
        GLSORT_SCENE_KEY key;
        if (!sort_key(element, key)) continue;
        uint item = glsort_op_base + element;
#if defined(GLSORT_ITEM_BITS)
        glsort_keys_scatter(item, glsort_stored_key(key) << GLSORT_ITEM_BITS | item);
#else
        glsort_keys_scatter(item, glsort_stored_key(key));
#endif
        atomicOr(glsort_bits[i / 32u], 1u << i % 32u);
    }
    barrier();
    uint mark = (glsort_op_first_tile + instance) * GLSORT_MARK_WORDS;
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE)
        glsort_marks_scatter(mark + i, glsort_bits[i]);
    if (GLSORT_LANE > 0u) return;
    uint visible = 0u;
    for (uint i = 0u; i < GLSORT_BIT_WORDS; ++i) visible += uint(bitCount(glsort_bits[i]));
    glsort_marks_scatter(mark + GLSORT_BIT_WORDS, visible);
    glsort_marks_scatter(mark + GLSORT_BIT_WORDS + 1u, given > glsort_op_count ? 1u : 0u);
}
