// One step of adaptive bitonic merging (GPU-ABiSort, sections 4.2 and 5.4, appendix A.2): every
// instance runs the phase of its block and writes the two nodes it has visited, and the pointers with
// which the next phase goes on.
//
// op_phase: 0 where the block runs phase 0 of stage 0, 1 for phase 0 of another stage, else 2.
// op_from:  phase 0: to the roots, which phase 1 of the stage before has written; else from the record
//           of an instance to that of the phase before, both by an exclusive or.
// op_spares: phase 0: to the spare nodes, which phase 0 of the stage before has written.
// op_next:  the record the next phase of this instance writes, by an exclusive or.
// op_tree:  the lowest bit of the number of the tree; nothing where there is one tree, which ascends.
// op_stop:  PRUNED: the instance whose later phases are left out, since they would find nothing to
//           exchange: the pointers to its nodes' children stay.
// op_nodes: where the nodes of this merge are in `trees`; op_sequences: what it merges.

void exchange(inout uint a, inout uint b) {
    uint first = a;
    a = b;
    b = first;
}

void exchange_values(inout Node a, inout Node b) {
    Record first = a.value;
    a.value = b.value;
    b.value = first;
}

void kernel(Index instance) {
    bool ascending = any_bit(instance & op_tree) == (op_odd != 0u);
    Node a, b;
    if (op_phase < 2u) {
        // The root and the spare node of a subtree.
        if (op_phase == 0u) {
            uint spare = ((number_of(instance) + 1u) << op_level) - 1u;
            uint root = spare - (1u << (op_level - 1u));
            a = node_at(IN_ORDER | pointer_to(index_of(root >> 1u) ^ op_sequences, root & 1u));
            b = node_at(IN_ORDER | pointer_to(index_of(spare >> 1u) ^ op_sequences, spare & 1u));
        } else {
            Index parent = half_of(instance) ^ op_nodes;
            uint k = last_bit(instance);
            a = node_at(pointer_to(parent ^ op_from, k));
            b = node_at(pointer_to(parent ^ op_spares, k));
        }
        if (precedes(b.value, a.value) == ascending) {
            exchange_values(a, b);
            exchange(a.left, a.right);
        }
        paths_out_write(0u, a.left);
        paths_out_write(1u, a.right);
        // After the last stage these are the sequences of the next merge: they lie in order.
        Index place = instance ^ op_nodes;
        a = node_in_order(a.value, pointer_to(place, 0u));
        b = node_in_order(b.value, pointer_to(place, 1u));
    } else {
        Index from = instance ^ op_from;
        a = node_at(paths_read(from, 0u));
        b = node_at(paths_read(from, 1u));
        Index next = instance ^ op_next ^ op_nodes;
        uint next_a = pointer_to(next, 0u);
        uint next_b = pointer_to(next, 1u);
#if defined(PRUNED)
        // No exchange either.
        if (instance == op_stop) {
            next_a = a.left;
            next_b = b.left;
        }
#endif
        if (precedes(b.value, a.value) == ascending) {
            exchange_values(a, b);
            exchange(a.left, b.left);
            paths_out_write(0u, a.right);
            paths_out_write(1u, b.right);
            a.right = next_a;
            b.right = next_b;
        } else {
            paths_out_write(0u, a.left);
            paths_out_write(1u, b.left);
            a.left = next_a;
            b.left = next_b;
        }
    }
    nodes_out_write(0u, words_of(a));
    nodes_out_write(1u, words_of(b));
}
