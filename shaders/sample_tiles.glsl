// A group for each of the op_tiles tiles of each segment; or, AGAIN, one for all tiles of a segment: most segments
// are empty then, and what takes time is beginning groups.

// The kernel says what becomes of a tile: of the `here` records, one at least, from `begin` on. `size`: of the segment.
// `number`: of the tile, op_tiles to a segment.
void do_tile(uint segment, uint size, uint number, uint begin, uint here);

void kernel(Index instance) {
#if defined(AGAIN)
    uint segment = number_of(instance);
    uint first = 0u;
    uint end = op_tiles;
#else
    uint segment = number_of(instance) / op_tiles;
    uint first = number_of(instance) % op_tiles;
    uint end = first + 1u;
#endif
    uint size = segment_size(segment);
    uint begin = segment_begin(segment);
    for (uint tile = first; tile < end && tile * SAMPLED_TILE < size; ++tile) {
        do_tile(segment, size, segment * op_tiles + tile, begin + tile * SAMPLED_TILE,
                min(size - tile * SAMPLED_TILE, SAMPLED_TILE));
        barrier();
    }
}
