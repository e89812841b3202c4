// The values of a subtree of 7 nodes, in order, followed by `last`.

#include "abisort/node_at.glsl"

void glsort_traverse(uint subtree, glsort_Element last, out glsort_Element run[8]) {
    glsort_Node middle = glsort_node_at(subtree);
    glsort_Node left = glsort_node_at(middle.left);
    glsort_Node right = glsort_node_at(middle.right);
    run[0] = glsort_node_at(left.left).value;
    run[1] = left.value;
    run[2] = glsort_node_at(left.right).value;
    run[3] = middle.value;
    run[4] = glsort_node_at(right.left).value;
    run[5] = right.value;
    run[6] = glsort_node_at(right.right).value;
    run[7] = last;
}
