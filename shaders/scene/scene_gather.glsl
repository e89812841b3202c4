// Finds item k of the visible items: walks from the record of the first of its neighbours (scene_find.glsl) to later
// records.
//
// expects ports: found, keyed, target
// expects macros: GLSORT_NEIGHBOURS
// allows macros: GLSORT_ITEM_BITS

#include "lib/layout.glsl"
#include "scene/keyed.glsl"
#include "scene/pyramid.glsl"

// The most records that an instance visits one after the other. After that, so few items are visible that a descent
// through the pyramid is shorter.
const uint GLSORT_LONGEST_WALK = 4u;

void glsort_kernel(glsort_Index instance) {
    uint k = glsort_number_of(instance);
    uint number = 0xffffffffu;
    glsort_Keyed keyed = glsort_Keyed(0u);
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
        number = 128u * found.x + 32u * word + glsort_place_of_bit(bits[word], found.y);
        keyed = glsort_keyed_gather(number);
    }
#if defined(GLSORT_ITEM_BITS)
    glsort_target_write(number == 0xffffffffu ? number : keyed << GLSORT_ITEM_BITS | number);
#else
    glsort_target_write(glsort_key_and_item(keyed, number));
#endif
}
