// Sorted runs become bitonic trees: nodes in order, two to a record (GPU-ABiSort, section 7.1).

void kernel(Index instance) {
    uint first = number_of(instance) * 2u;
    Node a, b;
    a.value = source_gather(first);
    b.value = source_gather(first + 1u);
    uvec2 children = children_in_order(pointer_to(instance, 1u));
    a.left = a.right = 0u;
    b.left = children.x;
    b.right = children.y;
    trees_write(0u, words_of(a));
    trees_write(1u, words_of(b));
}
