// The last four stages of a merge in one op, for subtrees of 16 nodes: each is traversed in order
// into registers, merged there by a bitonic network, and written as a run of 16 (GPU-ABiSort,
// section 7.2, whose GPU had room for half of that).
//
// op_nodes: where the nodes of this merge are; op_roots, op_spares: from there to what phases 1 and 0
// of the last stage have written.
// op_tree: the lowest bit of the number of the tree; nothing where there is one tree, which ascends.

void kernel(Index instance) {
    Index place = half_of(instance) ^ op_nodes;
    uint k = last_bit(instance);
    Node root = node_at(pointer_to(place ^ op_roots, k));
    Record spare = node_at(pointer_to(place ^ op_spares, k)).value;
    Record lower[8];
    Record upper[8];
    traverse(root.left, root.value, lower);
    traverse(root.right, spare, upper);
    bool ascending = any_bit(instance & op_tree) == (op_odd != 0u);
    for (int i = 0; i < 8; ++i) compare(lower[i], upper[i], ascending);
    merge_bitonic(lower, ascending);
    merge_bitonic(upper, ascending);
    for (int i = 0; i < 8; ++i) target_write(uint(i), lower[i]);
    for (int i = 0; i < 8; ++i) target_write(uint(i + 8), upper[i]);
}
