// Takes the samples of a segment and sorts them, by a group in shared memory; MISSING fills up their room.

uint segment = 0u;

Record unsorted(uint number) {
    return source_gather(segment_begin(segment) + sample_place(segment, number, segment_size(segment)));
}

void kernel(Index instance) {
    segment = number_of(instance);
    uint count = sample_count(segment_size(segment));
    sort_tile(count);
    uint room = op_tiles * SAMPLES;
    for (uint place = LANE; place < room; place += GROUP_SIZE)
        samples_scatter(segment * room + place, place < count ? tile_load(place) : MISSING);
}
