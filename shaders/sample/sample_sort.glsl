// Takes the samples of a segment and sorts them, by a group in shared memory.

uint segment = 0u;

Record unsorted(uint number) {
    return source_at(segment_begin(segment) + sample_place(segment, number, segment_size(segment)));
}

void kernel(Index instance) {
    segment = number_of(instance);
    uint size = segment_size(segment);
    if (size == 0u) return;
    uint count = sample_count(size);
    Record sorted[ELEMENTS];
    sort_tile(count, sorted);
    uint room = op_tiles * SAMPLES;
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = sorted_place(k);
        if (place < count) samples_scatter(segment * room + place, sorted[k]);
    }
}
