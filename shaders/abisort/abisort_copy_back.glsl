// The nodes that an op has just written, from the output stream to the stream that is read: input and
// output of an op must be distinct (GPU-ABiSort, section 6.1).

void kernel(Index instance) {
    Index written = instance ^ op_nodes;
    trees_write(0u, nodes_out_read(written, 0u));
    trees_write(1u, nodes_out_read(written, 1u));
}
