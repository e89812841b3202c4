// In-order traversal of the subtrees of 16 nodes that the last stage of adaptive merging leaves: each
// of two instances writes a run of 8 (GPU-ABiSort, section 7.2).
//
// op_nodes: where the nodes of this merge are; op_roots: from there to what phase 1 of the last stage
// has written, the roots of the subtrees. The spare nodes are what its phase 0 has written.

void kernel(Index instance) {
    Index subtree = half_of(instance);
    Index place = half_of(subtree) ^ op_nodes;
    uint k = last_bit(subtree);
    bool upper = last_bit(instance) != 0u;
    Node root = node_at(pointer_to(place ^ op_roots, k));
    Record last = root.value;
    if (upper) last = node_at(pointer_to(place, k)).value;
    Record run[8];
    traverse(upper ? root.right : root.left, last, run);
    for (uint i = 0u; i < 8u; ++i) target_write(i, run[i]);
}
