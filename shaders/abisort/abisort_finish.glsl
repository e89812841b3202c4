// The last four stages of a merge in one op, for subtrees of 16 nodes. An instance traverses a subtree in order into
// registers, merges the elements by a bitonic network, and writes a run of 16. See GPU-ABiSort, section 7.2. The
// paper's GPU had room for half a subtree.
//
// glsort_op_nodes: the first record of this merge's nodes.
// glsort_op_roots, glsort_op_spares: lead from record i/2 of these nodes to the root and the spare node of subtree i,
// by exclusive or. Phases 1 and 0 of the last stage wrote these two.
// glsort_op_tree: the bit of an instance's number that is the lowest bit of its tree's number. Zero if there is only
// one tree, which ascends.
//
// expects ports: target
// expects parameters: nodes, odd, roots, spares, tree

#include "abisort/node_at.glsl"
#include "abisort/traverse.glsl"
#include "lib/compare.glsl"
#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    glsort_Index place = glsort_half_of(instance) ^ glsort_op_nodes;
    uint k = glsort_last_bit(instance);
    glsort_Node root = glsort_node_at(glsort_pointer_to(place ^ glsort_op_roots, k));
    glsort_Element spare = glsort_node_at(glsort_pointer_to(place ^ glsort_op_spares, k)).value;
    glsort_Element lower[8];
    glsort_Element upper[8];
    glsort_traverse(root.left, root.value, lower);
    glsort_traverse(root.right, spare, upper);
    bool ascending = glsort_any_bit(instance & glsort_op_tree) == (glsort_op_odd != 0u);
    for (int i = 0; i < 8; ++i) glsort_compare(lower[i], upper[i], ascending);
    glsort_merge_bitonic(lower, ascending);
    glsort_merge_bitonic(upper, ascending);
    for (int i = 0; i < 8; ++i) glsort_target_write(uint(i), lower[i]);
    for (int i = 0; i < 8; ++i) glsort_target_write(uint(i + 8), upper[i]);
}
