// Windows of op_window records: the buckets that begin in one are one stretch of the sorted sequence.

#if defined(AGAIN)
#define begin_of_bucket divided_gather
#else
#define begin_of_bucket starts_gather
#endif

// Where the first of buckets low ... high-1 that begins at `place` or behind it does; or where bucket `high` does.
uint first_start(uint low, uint high, uint place) {
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (begin_of_bucket(middle) < place) low = middle + 1u;
        else high = middle;
    }
    return begin_of_bucket(low);
}

// The stretch that a group sorts: where it begins, and ends.
#if defined(AGAIN)
// One of the first op_buckets groups has a bucket of a segment that has not been divided again; others share those
// that have, op_windows each.
uvec2 stretch_of(uint group) {
    bool whole = group < op_buckets;
    uint segment = whole ? group / OF_BUCKETS : (group - op_buckets) / op_windows;
    bool divided = segment_size(segment) > 0u;
    if (divided == whole) return uvec2(0u);
    if (whole) return uvec2(starts_gather(group), starts_gather(group + 1u));
    uint place = segment_begin(segment) + (group - op_buckets) % op_windows * op_window;
    uint first = segment * BUCKETS;
    return uvec2(first_start(first, first + BUCKETS, place), first_start(first, first + BUCKETS, place + op_window));
}
#else
uvec2 stretch_of(uint group) {
    return uvec2(first_start(0u, op_buckets, group * op_window), first_start(0u, op_buckets, (group + 1u) * op_window));
}
#endif
