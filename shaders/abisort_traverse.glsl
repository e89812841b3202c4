// In-order traversal of the subtrees of 16 nodes that the last stage of adaptive merging leaves: each
// of two instances writes a run of 8 (GPU-ABiSort, section 7.2).
//
// op_nodes: where the nodes of this merge are; op_roots: from there to what phase 1 of the last stage
// has written, the roots of the subtrees. The spare nodes are what its phase 0 has written.

void kernel(Index instance) {
    Index subtree = half_of(instance);
    Index place = half_of(subtree) ^ op_nodes;
    uint k = last_bit(subtree);
    Node root = node_at(pointer_to(place ^ op_roots, k));
    bool upper = last_bit(instance) != 0u;
    Node middle = node_at(upper ? root.right : root.left);
    Node left = node_at(middle.left);
    Node right = node_at(middle.right);
    target_write(0u, node_at(left.left).value);
    target_write(1u, left.value);
    target_write(2u, node_at(left.right).value);
    target_write(3u, middle.value);
    target_write(4u, node_at(right.left).value);
    target_write(5u, right.value);
    target_write(6u, node_at(right.right).value);
    if (upper) root = node_at(pointer_to(place, k));
    target_write(7u, root.value);
}
