// Sorts the tiles of segments in shared memory, with one group per tile. GLSORT_REST: copies the elements behind
// glsort_op_tiles tiles of a segment. There are such elements only if the caller's comparison is no order.
//
// expects ports: source, target
// expects macros: GLSORT_ELEMENTS
// allows parameters: tiles
// allows macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_REST, GLSORT_SAMPLED_TILE

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
#if defined(GLSORT_REST)
    uint tile = number % glsort_op_tiles;
    if (tile + 1u < glsort_op_tiles) return;
    uint end = size - tile * GLSORT_SAMPLED_TILE;
    for (uint place = GLSORT_SAMPLED_TILE + GLSORT_LANE; place < end; place += GLSORT_GROUP_SIZE)
        glsort_target_scatter(begin + place, glsort_source_gather(begin + place));
#endif
}
