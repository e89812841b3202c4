// What the sort of a scene has written: the number of the item at a place of the order.
//
// expects ports: scene_status, sorted
// expects macros: GLSORT_SORTED_WORDS
// allows macros: GLSORT_ITEM_BITS

bool glsort_is_visible(uint place) { return place < glsort_scene_status_gather(0u); }

uint glsort_item_at(uint place) {
#if defined(GLSORT_ITEM_BITS)
    return glsort_sorted_gather(place) & (1u << GLSORT_ITEM_BITS) - 1u;
#elif GLSORT_SORTED_WORDS == 1
    return glsort_sorted_gather(place);
#elif GLSORT_SORTED_WORDS == 2
    return glsort_sorted_gather(place).y;
#else
    return glsort_sorted_gather(place).z;
#endif
}
