// Item k of the visible items: goes on from the first of its neighbours (scene_find.glsl).
//
// expects ports: found, keyed, target
// expects macros: GLSORT_KEY_WORDS, GLSORT_NEIGHBOURS
// allows macros: GLSORT_ITEM_BITS

#include "lib/layout.glsl"
#include "scene/pyramid.glsl"

#if GLSORT_KEY_WORDS == 1
#define glsort_Keyed uvec2
#define glsort_word_behind(keyed) keyed.y
#else
#define glsort_Keyed uvec3
#define glsort_word_behind(keyed) keyed.z
#endif

// Records that are looked at one after the other. Where few items are visible, a descent is shorter.
const uint GLSORT_LONGEST_WALK = 4u;

void glsort_kernel(glsort_Index instance) {
    uint k = glsort_number_of(instance);
    glsort_Keyed result = glsort_Keyed(0u);
    glsort_word_behind(result) = 0xffffffffu;
    if (k < glsort_visible_items()) {
        uvec2 found = glsort_found_gather(k / GLSORT_NEIGHBOURS) + uvec2(0u, k % GLSORT_NEIGHBOURS);
        uvec4 bits = glsort_record_at(1u, found.x);
        uvec4 counts = glsort_bit_counts(bits);
        for (uint i = 1u; i <= GLSORT_LONGEST_WALK; ++i) {
            uint sum = counts.x + counts.y + counts.z + counts.w;
            if (found.y < sum) break;
            found = i < GLSORT_LONGEST_WALK ? found + uvec2(1u, 0u) - uvec2(0u, sum) : glsort_descend(k);
            bits = glsort_record_at(1u, found.x);
            counts = glsort_bit_counts(bits);
        }
        uint word = glsort_part_of(counts, found.y);
        uint number = 128u * found.x + 32u * word + glsort_place_of_bit(bits[word], found.y);
        result = glsort_keyed_gather(number);
        glsort_word_behind(result) = number;
    }
#if defined(GLSORT_ITEM_BITS)
    glsort_target_write(result.y == 0xffffffffu ? 0xffffffffu : result.x << GLSORT_ITEM_BITS | result.y);
#else
    glsort_target_write(result);
#endif
}
