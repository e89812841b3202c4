// Sorts the tiles of segments in shared memory, with one group per tile.
//
// expects ports: source, target
// expects macros: GLSORT_ELEMENTS

#include "sample/sample_group_sort.glsl"
#include "sample/sample_tiles.glsl"

uint glsort_tile_begin = 0u;

glsort_Element glsort_unsorted(uint number) { return glsort_source_gather(glsort_tile_begin + number); }

void glsort_do_tiles(uint segment, uint size, uint number, uint begin, uint here) {
    glsort_tile_begin = begin;
    glsort_Element sorted[GLSORT_ELEMENTS];
    glsort_sort_tile(here, sorted);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = glsort_sorted_place(k);
        if (place < here) glsort_target_scatter(begin + place, sorted[k]);
    }
}
