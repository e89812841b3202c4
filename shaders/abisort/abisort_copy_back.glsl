// Copies the nodes that an op has just written from the output stream to the stream that is read. The input and the
// output of an op must be distinct (GPU-ABiSort, section 6.1).
//
// expects ports: nodes_out, trees
// expects parameters: nodes

#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    glsort_Index written = instance ^ glsort_op_nodes;
    glsort_trees_write(0u, glsort_nodes_out_read(written, 0u));
    glsort_trees_write(1u, glsort_nodes_out_read(written, 1u));
}
