// The node at a pointer, of the ports that a merge reads. PRUNED: the sequences have op_count elements,
// and what lies past them is greater than everything.
//
// The sequences are nodes of the port `trees`, from record op_sequences on; or RUN_PAIRS: elements of
// the port `runs`, a power of two of pairs to a record, which need no children: they lie in order.

#if defined(RUN_PAIRS)
// The record of `runs` where pair `pair` lies, and the number of the pair in it.
#if defined(INDEX_IS_NUMBER)
Index run_of(Index pair) { return pair / RUN_PAIRS; }
uint place_in_run(Index pair) { return pair % RUN_PAIRS; }
#elif defined(LAYOUT_Z_ORDER)
Index run_of(Index pair) { return uvec2(pair.y >> 1u, pair.x >> 2u); }
uint place_in_run(Index pair) { return (pair.x & 1u) | ((pair.y & 1u) << 1u) | ((pair.x & 2u) << 1u); }
#else
Index run_of(Index pair) { return index_of(number_of(pair) / RUN_PAIRS); }
uint place_in_run(Index pair) { return number_of(pair) % RUN_PAIRS; }
#endif
#endif

Node node_at(uint pointer) {
    Index record = record_of(pointer);
    uint k = element_of(pointer);
    bool in_order = (pointer & IN_ORDER) != 0u;
#if defined(PRUNED)
    if (in_order && number_of(record ^ op_sequences) * 2u + k >= op_count)
        return node_in_order(MISSING, pointer);
#endif
#if defined(RUN_PAIRS)
    if (in_order)
        return node_in_order(runs_read(run_of(record), place_in_run(record) * 2u + k), pointer);
#endif
    uvec4 words = trees_read(record, k);
    return Node(words.xy, words.z, words.w);
}
