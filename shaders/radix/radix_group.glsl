// Sorts all there is in one tile.

#if defined(SUBGROUP)
void kernel(Index instance) {
    Record mine[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint element = element_of(k);
        mine[k] = element < op_count ? source_gather(element) : MISSING;
    }
    sort_by_digits(mine, op_shift, op_bits);
    for (uint k = 0u; k < ELEMENTS; ++k)
        if (element_of(k) < op_count) target_scatter(element_of(k), mine[k]);
}

#else
void kernel(Index instance) {
    for (uint place = LANE; place < TILE; place += GROUP_SIZE)
        tile_store(place, place < op_count ? source_gather(place) : MISSING);
    sort_tile(op_shift, op_bits);
    for (uint place = LANE; place < op_count; place += GROUP_SIZE) target_scatter(place, tile_load(place));
}
#endif
