// One step of adaptive bitonic merging (GPU-ABiSort, sections 4.2 and 5.4, appendix A.2). Each instance runs the phase
// of its block. The instance writes the two nodes that it has visited, and the pointers for the next phase.
//
// glsort_op_phase: 0: the block runs phase 0 of stage 0. 1: phase 0 of another stage. 2: any other phase.
// glsort_op_from: leads from an instance to the record of its previous phase, by exclusive or. In phase 0 of a later
// stage the start is half the instance's number. The target is then the root, which phase 1 of the previous stage
// wrote.
// glsort_op_spares: in phase 0 of a later stage, leads likewise to the spare node, which phase 0 of the previous stage
// wrote.
// glsort_op_next: an exclusive or that leads to the record that the next phase of this instance writes.
// glsort_op_tree: the bit of an instance's number that is the lowest bit of its tree's number. Zero if there is only
// one tree, which ascends.
// glsort_op_stop: with GLSORT_PRUNED: the instance without later phases, because these could exchange nothing. The
// pointers to the children of its nodes stay.
// glsort_op_nodes: the first record of this merge's nodes in `trees`. glsort_op_sequences: the first record of its
// input.
//
// expects ports: nodes_out, paths, paths_out
// expects parameters: from, level, next, nodes, odd, phase, sequences, spares, stop, tree
// allows macros: GLSORT_PRUNED

#include "abisort/node_at.glsl"
#include "lib/layout.glsl"

void glsort_exchange(inout uint a, inout uint b) {
    uint first = a;
    a = b;
    b = first;
}

void glsort_exchange_values(inout glsort_Node a, inout glsort_Node b) {
    glsort_Element first = a.value;
    a.value = b.value;
    b.value = first;
}

void glsort_kernel(glsort_Index instance) {
    bool ascending = glsort_any_bit(instance & glsort_op_tree) == (glsort_op_odd != 0u);
    glsort_Node a, b;
    if (glsort_op_phase < 2u) {
        // The root and the spare node of a subtree.
        if (glsort_op_phase == 0u) {
            uint spare = ((glsort_number_of(instance) + 1u) << glsort_op_level) - 1u;
            uint root = spare - (1u << (glsort_op_level - 1u));
            a = glsort_node_at(GLSORT_IN_ORDER |
                               glsort_pointer_to(glsort_index_of(root >> 1u) ^ glsort_op_sequences, root & 1u));
            b = glsort_node_at(GLSORT_IN_ORDER |
                               glsort_pointer_to(glsort_index_of(spare >> 1u) ^ glsort_op_sequences, spare & 1u));
        } else {
            glsort_Index parent = glsort_half_of(instance) ^ glsort_op_nodes;
            uint k = glsort_last_bit(instance);
            a = glsort_node_at(glsort_pointer_to(parent ^ glsort_op_from, k));
            b = glsort_node_at(glsort_pointer_to(parent ^ glsort_op_spares, k));
        }
        if (glsort_precedes(b.value, a.value) == ascending) {
            glsort_exchange_values(a, b);
            glsort_exchange(a.left, a.right);
        }
        glsort_paths_out_write(0u, a.left);
        glsort_paths_out_write(1u, a.right);
        // After the last stage these nodes are the sequences of the next merge, in order.
        glsort_Index place = instance ^ glsort_op_nodes;
        a = glsort_node_in_order(a.value, glsort_pointer_to(place, 0u));
        b = glsort_node_in_order(b.value, glsort_pointer_to(place, 1u));
    } else {
        glsort_Index from = instance ^ glsort_op_from;
        a = glsort_node_at(glsort_paths_read(from, 0u));
        b = glsort_node_at(glsort_paths_read(from, 1u));
        glsort_Index next = instance ^ glsort_op_next ^ glsort_op_nodes;
        uint next_a = glsort_pointer_to(next, 0u);
        uint next_b = glsort_pointer_to(next, 1u);
#if defined(GLSORT_PRUNED)
        // The instance exchanges nothing.
        if (instance == glsort_op_stop) {
            next_a = a.left;
            next_b = b.left;
        }
#endif
        if (glsort_precedes(b.value, a.value) == ascending) {
            glsort_exchange_values(a, b);
            glsort_exchange(a.left, b.left);
            glsort_paths_out_write(0u, a.right);
            glsort_paths_out_write(1u, b.right);
            a.right = next_a;
            b.right = next_b;
        } else {
            glsort_paths_out_write(0u, a.left);
            glsort_paths_out_write(1u, b.left);
            a.left = next_a;
            b.left = next_b;
        }
    }
    glsort_nodes_out_write(0u, glsort_words_of(a));
    glsort_nodes_out_write(1u, glsort_words_of(b));
}
