// Moves the visible items of a tile together, in their order: the keys, or with GLSORT_ITEMS the numbers of the items.
//
// expects ports: marks, offsets, target
// allows ports: keys
// expects parameters: shift
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MARK_WORDS, GLSORT_SCENE_TILE
// allows macros: GLSORT_ITEMS

const uint GLSORT_BIT_WORDS = GLSORT_SCENE_TILE / 32u;

// The visible items of the tile before each word of bits.
shared uint glsort_before[GLSORT_BIT_WORDS];

void glsort_kernel(glsort_Index instance) {
    uint mark = instance * GLSORT_MARK_WORDS;
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE)
        glsort_before[i] = uint(bitCount(glsort_marks_gather(mark + i)));
    barrier();
    if (GLSORT_LANE == 0u) {
        uint sum = glsort_offsets_gather(instance);
        for (uint i = 0u; i < GLSORT_BIT_WORDS; ++i) {
            uint visible = glsort_before[i];
            glsort_before[i] = sum;
            sum += visible;
        }
    }
    barrier();
    for (uint i = GLSORT_LANE; i < GLSORT_SCENE_TILE; i += GLSORT_GROUP_SIZE) {
        uint bits = glsort_marks_gather(mark + i / 32u);
        uint bit = 1u << i % 32u;
        if ((bits & bit) == 0u) continue;
        uint place = glsort_before[i / 32u] + uint(bitCount(bits & (bit - 1u)));
        uint item = instance * GLSORT_SCENE_TILE + i + glsort_op_shift;
#if defined(GLSORT_ITEMS)
        glsort_target_scatter(place, item);
#else
        glsort_target_scatter(place, glsort_keys_gather(item));
#endif
    }
}
