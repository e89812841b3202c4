// Elements become nodes, two by two, that lie in order: the bitonic trees of the sequences that a merge
// takes, be they of one of the caller's elements each or sorted runs (GPU-ABiSort, appendix A.1 and
// section 7.1).

void kernel(Index instance) {
    for (uint k = 0u; k < 2u; ++k) {
        uint element = number_of(instance) * 2u + k;
        Record value = MISSING;
        if (element < op_count) value = source_gather(element);
        trees_write(k, words_of(node_in_order(value, pointer_to(instance, k))));
    }
}
