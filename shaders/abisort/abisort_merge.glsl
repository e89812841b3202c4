// Bitonic merge of 16 elements, which two runs of 8 hold, by two instances: one for the lower half of
// the result, one for the upper (GPU-ABiSort, section 7.2). Both begin with the same 8 comparisons.
//
// op_tree: the lowest bit of the number of the tree; nothing where there is one tree, which ascends.

Record element(Index record, uint k) {
#if defined(PRUNED)
    if (number_of(record) * 8u + k >= op_count) return MISSING;
#endif
    return source_read(record, k);
}

void kernel(Index instance) {
    bool ascending = any_bit(instance & op_tree) == (op_odd != 0u);
    bool upper = last_bit(instance) != 0u;
    Index first = upper ? instance ^ op_one : instance;
    Index second = first ^ op_one;
    Record run[8];
    for (uint i = 0u; i < 8u; ++i) {
        Record a = element(first, i);
        Record b = element(second, i);
        // The lower half of an ascending result takes the smaller ones.
        run[i] = (precedes(b, a) == ascending) != upper ? b : a;
    }
    merge_bitonic(run, ascending);
    for (uint i = 0u; i < 8u; ++i) target_write(i, run[i]);
}
