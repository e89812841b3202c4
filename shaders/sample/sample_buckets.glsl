// Sorts the buckets of a stretch (sample_window.glsl), by a group in shared memory: the paper's step 9.

uint stretch_begin = 0u;

Record unsorted(uint number) { return source_gather(stretch_begin + number); }

void sort_stretch(uvec2 stretch) {
    stretch_begin = stretch.x;
    uint size = stretch.y - stretch.x;
    if (size == 0u) return;
#if defined(RANDOM)
    // sample_outgrown has sorted it.
    if (size > SAMPLED_TILE) {
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

void kernel(Index instance) {
    uint number = number_of(instance);
#if defined(AGAIN)
    // One of the first op_buckets groups has a bucket of a segment that has not been divided again, one of the others
    // all windows of a segment that has.
    bool whole = number < op_buckets;
    uint segment = whole ? number / OF_BUCKETS : number - op_buckets;
    bool divided = segment_size(segment) > 0u;
    if (divided == whole) return;
    uint begin = segment_begin(segment);
    uint windows = whole ? 1u : op_windows;
    for (uint window = 0u; window < windows; ++window) {
        sort_stretch(whole ? uvec2(starts_gather(number), starts_gather(number + 1u))
                           : stretch_of(segment * BUCKETS, BUCKETS, begin, window));
        barrier();
    }
#else
    sort_stretch(stretch_of(0u, op_buckets, 0u, number));
#endif
}
