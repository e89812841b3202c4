// Sorts all there is in one tile.

void kernel(Index instance) {
    for (uint place = LANE; place < TILE; place += GROUP_SIZE)
        tile_store(place, place < op_count ? source_gather(place) : MISSING);
    sort_tile(op_shift, op_bits);
    for (uint place = LANE; place < op_count; place += GROUP_SIZE) target_scatter(place, tile_load(place));
}
