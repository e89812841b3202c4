// A texel with an item, with a key and its item, or with four items. Behind the visible items, 0xffffffff stands for
// the item, and 0 for the key.
//
// expects ports: sorted, texel
// allows ports: keys
// expects macros: GLSORT_SORTED_WORDS
// allows macros: GLSORT_FOUR_ITEMS, GLSORT_ITEM_BITS, GLSORT_KEY_WORDS

#include "lib/layout.glsl"
#include "scene/sorted_item.glsl"

uint glsort_item_or_mark(uint place) { return glsort_is_visible(place) ? glsort_item_at(place) : 0xffffffffu; }

#if defined(GLSORT_KEY_WORDS)
#if GLSORT_KEY_WORDS == 1
#define glsort_Key uint
#else
#define glsort_Key uvec2
#endif

glsort_Key glsort_key_at(uint place) {
#if defined(GLSORT_ITEM_BITS)
    return glsort_sorted_gather(place) >> GLSORT_ITEM_BITS;
#elif GLSORT_SORTED_WORDS == 1
    return glsort_keys_gather(place);
#elif GLSORT_SORTED_WORDS == 2
    return glsort_sorted_gather(place).x;
#else
    return glsort_sorted_gather(place).xy;
#endif
}
#endif

void glsort_kernel(glsort_Index instance) {
    uint place = glsort_number_of(instance);
#if defined(GLSORT_FOUR_ITEMS)
    place *= 4u;
    glsort_texel_write(uvec4(glsort_item_or_mark(place), glsort_item_or_mark(place + 1u),
                             glsort_item_or_mark(place + 2u), glsort_item_or_mark(place + 3u)));
#elif !defined(GLSORT_KEY_WORDS)
    glsort_texel_write(glsort_item_or_mark(place));
#else
    glsort_Key key = glsort_Key(0u);
    if (glsort_is_visible(place)) key = glsort_key_at(place);
#if GLSORT_KEY_WORDS == 1
    glsort_texel_write(uvec2(key, glsort_item_or_mark(place)));
#else
    glsort_texel_write(uvec3(key, glsort_item_or_mark(place)));
#endif
#endif
}
