// Traverses in order the subtrees of 16 nodes that the last stage of adaptive merging leaves. Each of two instances
// writes a run of 8 (GPU-ABiSort, section 7.2).
//
// glsort_op_nodes: the first record of this merge's nodes. Record i/2 of these nodes has the spare node of subtree i,
// which phase 0 of the last stage wrote.
// glsort_op_roots: leads from this record to the root of subtree i, by exclusive or. Phase 1 of the last stage wrote
// the root.
//
// expects ports: target
// expects parameters: nodes, roots

#include "abisort/node_at.glsl"
#include "abisort/traverse.glsl"
#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    glsort_Index subtree = glsort_half_of(instance);
    glsort_Index place = glsort_half_of(subtree) ^ glsort_op_nodes;
    uint k = glsort_last_bit(subtree);
    bool upper = glsort_last_bit(instance) != 0u;
    glsort_Node root = glsort_node_at(glsort_pointer_to(place ^ glsort_op_roots, k));
    glsort_Element last = root.value;
    if (upper) last = glsort_node_at(glsort_pointer_to(place, k)).value;
    glsort_Element run[8];
    glsort_traverse(upper ? root.right : root.left, last, run);
    for (uint i = 0u; i < 8u; ++i) glsort_target_write(i, run[i]);
}
