// Sorts up to TILE records in shared memory. An invocation sorts ELEMENTS records in registers by a sorting
// network (plan/networks/sorting_network.h); then the group merges these runs, two and two (merge_path.glsl).

#define C(a, b) compare(run[a], run[b], true);

uint run_length = ELEMENTS;

uvec3 runs_at(uint place) {
    uint begin = place & ~(2u * run_length - 1u);
    return uvec3(begin, begin + run_length, begin + 2u * run_length);
}

// The kernel says what is sorted: the record with that number.
Record unsorted(uint number);

// Of all invocations of the group. Record `sorted_place(k)` of the sorted tile is element k of `sorted`.
uint sorted_place(uint k) { return k * GROUP_SIZE + LANE; }

// What lies past the `size` records is greater than everything.
void sort_tile(uint size, out Record sorted[ELEMENTS]) {
    // Neighbours read neighbours; which records an invocation sorts first is all the same. Only the first
    // invocations have any, so that fewer merges sort fewer records.
    uint busy = (size + ELEMENTS - 1u) / ELEMENTS;
    Record run[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint number = k * busy + LANE;
        run[k] = LANE < busy && number < size ? unsorted(number) : MISSING;
    }
    SORTING_NETWORK
    for (uint k = 0u; k < ELEMENTS; ++k) tile_store(LANE * ELEMENTS + k, run[k]);
    barrier();
    for (run_length = ELEMENTS; run_length < size; run_length *= 2u) merge_neighbours();
    for (uint k = 0u; k < ELEMENTS; ++k) sorted[k] = tile_load(sorted_place(k));
}
