// Sorts tiles of TILE records, each by a group in shared memory. An invocation sorts ELEMENTS records in
// registers by a sorting network (plan/sorting_network.h); then the group merges these runs, two and two.
// What lies past the end of the input is greater than everything.

#define C(a, b) compare(run[a], run[b], true);

uint run_length = ELEMENTS;

uvec3 runs_at(uint place) {
    uint begin = place & ~(2u * run_length - 1u);
    return uvec3(begin, begin + run_length, begin + 2u * run_length);
}

void kernel(Index instance) {
    uint begin = number_of(instance) * TILE;
    // Neighbours read neighbours; which records an invocation sorts first is all the same.
    Record run[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint element = begin + k * GROUP_SIZE + LANE;
        run[k] = element < op_count ? source_gather(element) : MISSING;
    }
    SORTING_NETWORK
    for (uint k = 0u; k < ELEMENTS; ++k) tile_store(LANE * ELEMENTS + k, run[k]);
    group_ready();
    for (; run_length < TILE; run_length *= 2u) merge_neighbours();
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        if (begin + place < op_count) target_scatter(begin + place, tile_load(place));
    }
}
