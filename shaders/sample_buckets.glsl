// Sorts the buckets of a stretch (sample_window.glsl), by a group in shared memory: the paper's step 9.

uint stretch_begin = 0u;

Record unsorted(uint number) { return source_gather(stretch_begin + number); }

void kernel(Index instance) {
    uvec2 stretch = stretch_of(number_of(instance));
    stretch_begin = stretch.x;
    uint size = stretch.y - stretch.x;
    if (size == 0u) return;
#if defined(RANDOM)
    // sample_outgrown has sorted it.
    if (size > TILE) {
        for (uint place = LANE; place < size; place += GROUP_SIZE)
            target_scatter(stretch_begin + place, source_gather(stretch_begin + place));
        return;
    }
#endif
    Record sorted[ELEMENTS];
    sort_tile(size, sorted);
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = sorted_place(k);
        if (place < size) target_scatter(stretch_begin + place, sorted[k]);
    }
}
