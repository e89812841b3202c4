// The first op_stages stages of a bitonic sorting network, up to all that stay within a tile: a group sorts TILE
// neighbouring records, descending where their block does. (Baraglia et al. 2009, section 5: the first kernel.)
// What lies past the end of the input acts as +infinity.

// The stages within one window, all at once: any network makes the same of them.
void sort_runs(bool descending) {
    uint slot = first_slot(0u, descending);
    Record run[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) run[k] = slot_load(slot ^ tile_slot(k));
    SORTING_NETWORK
    for (uint k = 0u; k < ELEMENTS; ++k) slot_store(slot ^ tile_slot(k), run[k]);
    barrier();
}

void kernel(Index instance) {
    uint begin = number_of(instance) * TILE;
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        tile_store(place, begin + place < op_count ? source_gather(begin + place) : MISSING);
    }
    barrier();
    sort_runs(descends(begin + LANE * ELEMENTS, ELEMENTS));
    for (uint stage = WINDOW_BITS + 1u; stage <= op_stages; ++stage) {
        uint window = 0u;
        for (uint end = stage; end > 0u; end = window) {
            window = window_below(end);
            make_steps(window, end, 0u, descends(begin + first_place(window), 1u << stage));
        }
    }
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        if (begin + place < op_count) target_scatter(begin + place, tile_load(place));
    }
}
