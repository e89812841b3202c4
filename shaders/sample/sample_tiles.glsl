// A group for each of the op_tiles tiles of each segment, or for TOGETHER neighbouring ones; or, AGAIN, one for all
// tiles of a segment: most segments are empty then, and what takes time is beginning groups.

#if !defined(TOGETHER)
#define TOGETHER 1
#endif

// The kernel says what becomes of tiles: of the `here` records, one at least, from `begin` on. `size`: of the segment.
// `number`: of the first tile, op_tiles to a segment.
void do_tiles(uint segment, uint size, uint number, uint begin, uint here);

void kernel(Index instance) {
    const uint records = uint(TOGETHER) * SAMPLED_TILE;
#if defined(AGAIN)
    uint segment = number_of(instance);
    uint first = 0u;
    uint end = op_tiles;
#else
    uint groups = (op_tiles + uint(TOGETHER) - 1u) / uint(TOGETHER);
    uint segment = number_of(instance) / groups;
    uint first = number_of(instance) % groups * uint(TOGETHER);
    uint end = first + 1u;
#endif
    uint size = segment_size(segment);
    uint begin = segment_begin(segment);
    for (uint tile = first; tile < end && tile * SAMPLED_TILE < size; tile += uint(TOGETHER)) {
        uint place = tile * SAMPLED_TILE;
        do_tiles(segment, size, segment * op_tiles + tile, begin + place, min(size - place, records));
        barrier();
    }
}
