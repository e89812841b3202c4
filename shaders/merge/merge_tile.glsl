// Sorts tiles of TILE records, each by a group in shared memory (tile_sort.glsl).

uint tile_begin = 0u;

Record unsorted(uint number) { return source_gather(tile_begin + number); }

void kernel(Index instance) {
    tile_begin = number_of(instance) * TILE;
    uint size = min(op_count - tile_begin, TILE);
    Record sorted[ELEMENTS];
    sort_tile(size, sorted);
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = sorted_place(k);
        if (place < size) target_scatter(tile_begin + place, sorted[k]);
    }
}
