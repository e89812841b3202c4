// The last four stages of a merge in one op, for subtrees of 16 nodes: each is traversed in order
// into registers, merged there by a bitonic network, and written as a run of 16 (GPU-ABiSort,
// section 7.2, whose GPU had room for half of that).
//
// op_nodes: where the nodes of this merge are; op_roots, op_spares: from there to what phases 1 and 0
// of the last stage have written.
// op_tree: the lowest bit of the number of the tree; nothing where there is one tree, which ascends.

void kernel(Index instance) {
    Record run[16];
    Index place = half_of(instance) ^ op_nodes;
    uint k = last_bit(instance);
    Node root = node_at(pointer_to(place ^ op_roots, k));
    run[7] = root.value;
    run[15] = node_at(pointer_to(place ^ op_spares, k)).value;
    for (int side = 0; side < 2; ++side) {
        Node middle = node_at(side == 0 ? root.left : root.right);
        Node left = node_at(middle.left);
        Node right = node_at(middle.right);
        run[8 * side] = node_at(left.left).value;
        run[8 * side + 1] = left.value;
        run[8 * side + 2] = node_at(left.right).value;
        run[8 * side + 3] = middle.value;
        run[8 * side + 4] = node_at(right.left).value;
        run[8 * side + 5] = right.value;
        run[8 * side + 6] = node_at(right.right).value;
    }
    bool ascending = any_bit(instance & op_tree) == (op_odd != 0u);
    for (int i = 0; i < 8; ++i) compare(run[i], run[i + 8], ascending);
    for (int i = 0; i < 16; i += 8)
        for (int j = 0; j < 4; ++j) compare(run[i + j], run[i + j + 4], ascending);
    for (int i = 0; i < 16; i += 4) {
        compare(run[i], run[i + 2], ascending);
        compare(run[i + 1], run[i + 3], ascending);
    }
    for (int i = 0; i < 16; i += 2) compare(run[i], run[i + 1], ascending);
    for (int i = 0; i < 16; ++i) target_write(uint(i), run[i]);
}
