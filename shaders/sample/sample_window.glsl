// Partitions of the sorted sequence. A partition has all buckets that begin in a window of glsort_op_window elements.
//
// expects ports: starts
// expects parameters: window
// allows ports: divided
// allows macros: GLSORT_AGAIN
// ignores parameters: count

#if defined(GLSORT_AGAIN)
#define glsort_begin_of_bucket glsort_divided_gather
#else
#define glsort_begin_of_bucket glsort_starts_gather
#endif

// The start of the first of buckets low ... high-1 that begins at `place` or later. If there is none, the start of
// bucket `high`.
uint glsort_first_start(uint low, uint high, uint place) {
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (glsort_begin_of_bucket(middle) < place) low = middle + 1u;
        else high = middle;
    }
    return glsort_begin_of_bucket(low);
}

// The start and the end of the partition of a window. `begin`: the start of the segment that has these buckets.
uvec2 glsort_partition_of(uint first_bucket, uint buckets, uint begin, uint window) {
    uint place = begin + window * glsort_op_window;
    uint end = first_bucket + buckets;
    return uvec2(glsort_first_start(first_bucket, end, place),
                 glsort_first_start(first_bucket, end, place + glsort_op_window));
}
