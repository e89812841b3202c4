// The load chunk of a sort that reads the keys of a scene from the fronts of their tiles
// (src/glsort/plan/scene/front_source.h).
//
// expects ports: front_keys, front_offsets
// allows ports: front_items
// expects macros: GLSORT_ELEMENT_WORDS, GLSORT_FIRST_OFFSET, GLSORT_KEY_WORDS, GLSORT_SCENE_TILE
// allows macros: GLSORT_FRONT_ITEMS

#include "lib/element.glsl"

uint glsort_offset_of(uint tile) { return glsort_front_offsets_gather(GLSORT_FIRST_OFFSET + tile); }

// The tile with the front that has element `number`. No earlier tile has more items than places. Steps double until one
// goes too far, then halve.
uint glsort_front_with(uint number) {
    uint tile = number / GLSORT_SCENE_TILE;
    uint step = 1u;
    for (; glsort_offset_of(tile + step) <= number; step *= 2u) tile += step;
    for (step /= 2u; step > 0u; step /= 2u)
        if (glsort_offset_of(tile + step) <= number) tile += step;
    return tile;
}

glsort_Element glsort_load(uint number) {
    uint tile = glsort_front_with(number);
    uint place = tile * GLSORT_SCENE_TILE + number - glsort_offset_of(tile);
    glsort_Key code = glsort_code_of_key(glsort_front_keys_gather(place));
#if GLSORT_ELEMENT_WORDS == GLSORT_KEY_WORDS
    return code;
#elif defined(GLSORT_FRONT_ITEMS)
    return glsort_Element(code, glsort_front_items_gather(place));
#else
    return glsort_Element(code, number);
#endif
}
