// The values of a subtree of 7 nodes, in order, and what follows them.

void traverse(uint subtree, Record last, out Record run[8]) {
    Node middle = node_at(subtree);
    Node left = node_at(middle.left);
    Node right = node_at(middle.right);
    run[0] = node_at(left.left).value;
    run[1] = left.value;
    run[2] = node_at(left.right).value;
    run[3] = middle.value;
    run[4] = node_at(right.left).value;
    run[5] = right.value;
    run[6] = node_at(right.right).value;
    run[7] = last;
}
