// Sorts each bucket: the second of two ops of a sort by splitters. The first op, splitter_tile.glsl, leaves sorted
// tiles and samples. Each group finds the pieces of its bucket in all tiles, sorts them, and moves the elements to
// their places. Groups do not wait for each other.
//
// expects ports: source, target
// expects parameters: bits, count, shift
// expects macros: GLSORT_ELEMENTS, GLSORT_FIRST_STEP, GLSORT_GROUP_SIZE, GLSORT_SAMPLED_TILE, GLSORT_TILE

#include "lib/layout.glsl"
#include "radix/radix_rounds.glsl"
#include "radix/splitter_pieces.glsl"
#include "radix/splitter_outgrown.glsl"

void glsort_kernel(glsort_Index instance) {
    // A count on the GPU may be zero.
    if (glsort_op_count == 0u) return;
    uint tiles = (glsort_op_count + GLSORT_SAMPLED_TILE - 1u) / GLSORT_SAMPLED_TILE;
    uvec2 found = glsort_find_pieces(glsort_number_of(instance), tiles);
    uint begin = found.x;
    uint size = found.y;
    if (size > GLSORT_TILE) glsort_merge_outgrown(begin, size, tiles);
    if (size == 0u || size > GLSORT_TILE) return;
    glsort_held = (size - 1u) / GLSORT_GROUP_SIZE + 1u;
    // Searches for all elements at once, then reads all.
    uint tile[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) tile[k] = 0u;
    for (uint step = GLSORT_FIRST_STEP; step > 0u; step /= 2u)
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            if (k < glsort_held) glsort_search_tiles(tile[k], step, min(glsort_element_of(k), size - 1u), tiles);
    glsort_Element mine[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        if (k >= glsort_held) break;
        mine[k] = glsort_source_gather(glsort_sources[tile[k]] + min(glsort_element_of(k), size - 1u));
    }
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        if (glsort_element_of(k) >= size) mine[k] = GLSORT_MISSING;
    glsort_sort_by_digits(mine, glsort_op_shift, glsort_op_bits);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        if (k >= glsort_held) break;
        uint number = glsort_element_of(k);
        if (number < size) glsort_target_scatter(begin + number, mine[k]);
    }
}
