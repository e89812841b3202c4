// Sorts runs of RUN elements in registers by a sorting network (plan/networks/sorting_network.h). An instance
// writes one record of ELEMENTS; the RUN / ELEMENTS instances of a run each sort all of it: reading and
// comparing cost less than a pass that writes. What lies past the end of the input is greater than
// everything.

#define C(a, b) compare(run[a], run[b], true);

void kernel(Index instance) {
    uint first = number_of(instance) * ELEMENTS;
    uint part = first % RUN / ELEMENTS;
    first -= first % RUN;
    Record run[RUN];
    for (uint i = 0u; i < RUN; ++i)
        run[i] = first + i < op_count ? source_gather(first + i) : MISSING;
    SORTING_NETWORK
    for (uint k = 0u; k < ELEMENTS; ++k) {
        Record value = run[k];
        for (uint p = 1u; p < RUN / ELEMENTS; ++p)
            if (part == p) value = run[p * ELEMENTS + k];
        target_write(k, value);
    }
}
