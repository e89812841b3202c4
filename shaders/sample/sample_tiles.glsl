// Runs a group for each of the glsort_op_tiles tiles of each segment, or for GLSORT_TOGETHER neighbouring tiles.
// GLSORT_AGAIN: one group has all tiles of a segment. Most segments are then empty, and starting groups is what takes
// time.
//
// expects parameters: tiles
// expects macros: GLSORT_SAMPLED_TILE
// allows macros: GLSORT_AGAIN, GLSORT_TOGETHER

#include "lib/layout.glsl"
#include "sample/sample_segment.glsl"

#if !defined(GLSORT_TOGETHER)
#define GLSORT_TOGETHER 1
#endif

// The kernel defines what happens to tiles. `here`: the number of elements in the tiles, at least one, from `begin` on.
// `size`: the size of the segment. `number`: the number of the first tile, with glsort_op_tiles per segment.
void glsort_do_tiles(uint segment, uint size, uint number, uint begin, uint here);

void glsort_kernel(glsort_Index instance) {
    const uint records = uint(GLSORT_TOGETHER) * GLSORT_SAMPLED_TILE;
#if defined(GLSORT_AGAIN)
    uint segment = glsort_number_of(instance);
    uint first = 0u;
    uint end = glsort_op_tiles;
#else
    uint groups = (glsort_op_tiles + uint(GLSORT_TOGETHER) - 1u) / uint(GLSORT_TOGETHER);
    uint segment = glsort_number_of(instance) / groups;
    uint first = glsort_number_of(instance) % groups * uint(GLSORT_TOGETHER);
    uint end = first + 1u;
#endif
    uint size = glsort_segment_size(segment);
    uint begin = glsort_segment_begin(segment);
    for (uint tile = first; tile < end && tile * GLSORT_SAMPLED_TILE < size; tile += uint(GLSORT_TOGETHER)) {
        uint place = tile * GLSORT_SAMPLED_TILE;
        glsort_do_tiles(segment, size, segment * glsort_op_tiles + tile, begin + place, min(size - place, records));
        barrier();
    }
}
