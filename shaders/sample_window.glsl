// The buckets that begin in a window of op_window records: together they are one stretch of the sorted sequence.

// The first of the op_buckets buckets that begins at `place` or behind it; op_buckets where none does.
uint first_bucket(uint place) {
    uint low = 0u;
    uint high = op_buckets;
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (starts_gather(middle) < place) low = middle + 1u;
        else high = middle;
    }
    return low;
}

uint window_begin(uint window) {
    return starts_gather(first_bucket(window * op_window));
}
