// Stretches of the sorted sequence, one or more buckets each: those that begin in a window of op_window records.

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

// Where the stretch of a window begins, and where it ends. `begin`: of the segment that has these buckets.
uvec2 stretch_of(uint first_bucket, uint buckets, uint begin, uint window) {
    uint place = begin + window * op_window;
    uint end = first_bucket + buckets;
    return uvec2(first_start(first_bucket, end, place), first_start(first_bucket, end, place + op_window));
}
