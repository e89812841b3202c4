// The caller's keys as nodes, two by two: the sequences of length 1 that the first merge takes.

void kernel(Index instance) {
    Node a, b;
    a.value = source_read(instance, 0u);
    b.value = number_of(instance) * 2u + 1u < op_count ? source_read(instance, 1u) : MISSING;
    uvec2 children = children_in_order(pointer_to(instance, 1u));
    a.left = a.right = 0u;
    b.left = children.x;
    b.right = children.y;
    target_write(0u, words_of(a));
    target_write(1u, words_of(b));
}
