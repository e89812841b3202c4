// The first glsort_op_stages stages of a bitonic sorting network, up to all stages within a tile. A group sorts
// GLSORT_TILE neighbouring elements, descending if their block descends (Baraglia et al. 2009, section 5: the first
// kernel). Elements past the end of the input act as +infinity.
//
// expects ports: source, target
// expects parameters: count, stages
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SORTING_NETWORK, GLSORT_TILE
// expects macros: GLSORT_WINDOW_BITS

#include "lib/layout.glsl"
#include "networks/bitonic_window.glsl"

// All stages within one window at once, by another sorting network. All sorting networks give equal results.
void glsort_sort_runs(bool descending) {
    uint slot = glsort_first_slot(0u, descending);
    glsort_Element run[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) run[k] = glsort_slot_load(slot ^ glsort_tile_slot(k));
    GLSORT_SORTING_NETWORK
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) glsort_slot_store(slot ^ glsort_tile_slot(k), run[k]);
    barrier();
}

void glsort_kernel(glsort_Index instance) {
    uint begin = glsort_number_of(instance) * GLSORT_TILE;
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        glsort_tile_store(place,
                          begin + place < glsort_op_count ? glsort_source_gather(begin + place) : GLSORT_MISSING);
    }
    barrier();
    glsort_sort_runs(glsort_descends(begin + GLSORT_LANE * GLSORT_ELEMENTS, GLSORT_ELEMENTS));
    for (uint stage = GLSORT_WINDOW_BITS + 1u; stage <= glsort_op_stages; ++stage) {
        uint window = 0u;
        for (uint end = stage; end > 0u; end = window) {
            window = glsort_window_below(end);
            glsort_make_steps(window, end, 0u, glsort_descends(begin + glsort_first_place(window), 1u << stage));
        }
    }
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        if (begin + place < glsort_op_count) glsort_target_scatter(begin + place, glsort_tile_load(place));
    }
}
