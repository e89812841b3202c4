// Sorts all there is in one tile.

#if defined(SUBGROUP)
void counted(uint count) {}

void kernel(Index instance) {
    Record mine[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint element = element_of(k);
        mine[k] = element < op_count ? source_gather(element) : MISSING;
    }
    for (uint done = 0u; done < op_bits; done += DIGIT_BITS) {
        for (uint i = LANE; i < SUBGROUPS * DIGITS; i += GROUP_SIZE) memory[i] = 0u;
        group_ready();
        Places places;
        uint smaller;
        rank_elements(mine, op_shift + done, min(op_bits - done, DIGIT_BITS), places, smaller);
        STORE_PART(0u, FIRST_WORD)
        group_ready();
        LOAD_PART(mine, element_of(k), FIRST_WORD)
        EXCHANGE_OTHERS(0u, mine, element_of(k))
        group_ready();
    }
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
