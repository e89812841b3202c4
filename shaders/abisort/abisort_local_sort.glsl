// Sorts runs of RUN elements, one run an instance, by odd-even transition (GPU-ABiSort, section 7.1).
// Runs ascend or descend in turns, so that the last one, whose number is odd or not, ascends. What
// lies past the end of the input is greater than everything.

void kernel(Index instance) {
    Record run[RUN];
    uint first = number_of(instance) * uint(RUN);
    for (int i = 0; i < RUN; ++i)
        run[i] = first + uint(i) < op_count ? source_gather(first + uint(i)) : MISSING;
    bool ascending = (last_bit(instance) != 0u) == (op_odd != 0u);
    for (int round = 0; round < RUN / 2; ++round) {
        for (int i = 0; i + 1 < RUN; i += 2) compare(run[i], run[i + 1], ascending);
        for (int i = 1; i + 1 < RUN; i += 2) compare(run[i], run[i + 1], ascending);
    }
    for (int i = 0; i < RUN; ++i) target_write(uint(i), run[i]);
}
