// The load chunk of a sort that finds the visible items itself (src/glsort/plan/scene/visible_source.h).
//
// GLSORT_LOADED_RUN: also loads a run of neighbours at once.
//
// expects ports: keyed
// expects macros: GLSORT_KEY_WORDS
// allows macros: GLSORT_LOADED_RUN, GLSORT_MARKED

#include "lib/element.glsl"
#include "scene/keyed.glsl"
#include "scene/visible_items.glsl"

glsort_Element glsort_element_of(uint item) {
    glsort_Keyed keyed = glsort_keyed_gather(item);
#if GLSORT_KEY_WORDS == 2
    return glsort_Element(glsort_code_of_key(keyed.xy), item);
#elif defined(GLSORT_MARKED)
    return glsort_Element(glsort_code_of_key(keyed), item);
#else
    return glsort_Element(glsort_code_of_key(keyed.x), item);
#endif
}

glsort_Element glsort_load(uint number) {
    uint item = glsort_find_item(number);
    return glsort_element_of(item);
}

#if defined(GLSORT_LOADED_RUN)
// Loads the elements from `first` on. In place of elements from `count` on, `missing`.
void glsort_load_run(uint first, uint count, glsort_Element missing, out glsort_Element run[GLSORT_LOADED_RUN]) {
    uint number = min(max(first, count) - first, GLSORT_LOADED_RUN);
    uint items[GLSORT_LOADED_RUN];
    glsort_find_items(first, number, items);
    // Fetches outside of branches are issued side by side.
    for (uint i = 0u; i < GLSORT_LOADED_RUN; ++i) run[i] = glsort_element_of(items[i]);
    for (uint i = 0u; i < GLSORT_LOADED_RUN; ++i)
        if (i >= number) run[i] = missing;
}
#endif
