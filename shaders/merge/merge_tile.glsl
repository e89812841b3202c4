// Sorts tiles of GLSORT_TILE elements in shared memory, with one group per tile (tile_sort.glsl).
//
// expects ports: source, target
// expects parameters: count
// expects macros: GLSORT_ELEMENTS, GLSORT_TILE

#include "lib/layout.glsl"
#include "lib/tile_sort.glsl"

uint glsort_tile_begin = 0u;

glsort_Element glsort_unsorted(uint number) { return glsort_source_gather(glsort_tile_begin + number); }

void glsort_kernel(glsort_Index instance) {
    glsort_tile_begin = glsort_number_of(instance) * GLSORT_TILE;
    uint size = min(glsort_op_count - glsort_tile_begin, GLSORT_TILE);
    glsort_Element sorted[GLSORT_ELEMENTS];
    glsort_sort_tile(size, sorted);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = glsort_sorted_place(k);
        if (place < size) glsort_target_scatter(glsort_tile_begin + place, sorted[k]);
    }
}
