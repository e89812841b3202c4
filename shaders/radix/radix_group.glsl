// Sorts all elements in one group, as one tile.
//
// expects ports: source, target
// expects parameters: bits, count, shift
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_TILE
// allows macros: GLSORT_SUBGROUP
// ignores macros: GLSORT_DIGITS

#if defined(GLSORT_SUBGROUP)
#include "lib/layout.glsl"
#include "radix/radix_rounds.glsl"
#else
#include "radix/radix_tile.glsl"
#endif

#if defined(GLSORT_SUBGROUP)
void glsort_kernel(glsort_Index instance) {
    glsort_Element mine[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint element = glsort_element_of(k);
        mine[k] = element < glsort_op_count ? glsort_source_gather(element) : GLSORT_MISSING;
    }
    glsort_sort_by_digits(mine, glsort_op_shift, glsort_op_bits);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        if (glsort_element_of(k) < glsort_op_count) glsort_target_scatter(glsort_element_of(k), mine[k]);
}

#else
void glsort_kernel(glsort_Index instance) {
    for (uint place = GLSORT_LANE; place < GLSORT_TILE; place += GLSORT_GROUP_SIZE)
        glsort_tile_store(place, place < glsort_op_count ? glsort_source_gather(place) : GLSORT_MISSING);
    glsort_sort_tile(glsort_op_shift, glsort_op_bits);
    for (uint place = GLSORT_LANE; place < glsort_op_count; place += GLSORT_GROUP_SIZE)
        glsort_target_scatter(place, glsort_tile_load(place));
}
#endif
