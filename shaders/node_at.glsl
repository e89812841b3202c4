// The node at a pointer, of the port `trees`. PRUNED: the sequences, of op_count elements from record
// op_sequences on, may end before it.
Node node_at(uint pointer) {
    Index record = record_of(pointer);
    uint k = element_of(pointer);
#if defined(PRUNED)
    if ((pointer & IN_ORDER) != 0u && number_of(record ^ op_sequences) * 2u + k >= op_count) {
        uvec2 children = children_in_order(pointer);
        return Node(MISSING, children.x, children.y);
    }
#endif
    uvec4 words = trees_read(record, k);
    return Node(words.xy, words.z, words.w);
}
