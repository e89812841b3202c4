// Sorts the tiles of segments, each by a group in shared memory. A segment has op_tiles groups; where it has more
// tiles, which happens to samples that were drawn at random, they go on with these.

uint tile_begin = 0u;

Record unsorted(uint number) { return source_gather(tile_begin + number); }

void kernel(Index instance) {
    uint segment = number_of(instance) / op_tiles;
    uint size = segment_size(segment);
    for (uint tile = number_of(instance) % op_tiles * TILE; tile < size; tile += op_tiles * TILE) {
        tile_begin = segment_begin(segment) + tile;
        uint here = min(size - tile, TILE);
        Record sorted[ELEMENTS];
        sort_tile(here, sorted);
        for (uint k = 0u; k < ELEMENTS; ++k) {
            uint place = sorted_place(k);
            if (place < here) target_scatter(tile_begin + place, sorted[k]);
        }
        barrier();
    }
}
