// Sorts the tiles of segments, each by a group in shared memory.

uint tile_begin = 0u;

Record unsorted(uint number) { return source_gather(tile_begin + number); }

void do_tiles(uint segment, uint size, uint number, uint begin, uint here) {
    tile_begin = begin;
    Record sorted[ELEMENTS];
    sort_tile(here, sorted);
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = sorted_place(k);
        if (place < here) target_scatter(begin + place, sorted[k]);
    }
}
