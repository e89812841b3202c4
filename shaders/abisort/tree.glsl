// Bitonic trees: nodes, and pointers to them (GPU-ABiSort, section 4.2 and appendix A).
//
// A pointer is a record and one of its two elements. It is marked where the node is still one of the
// sorted sequences that the merge begins with: those lie in order, so that the children of a node that
// lies past the end of the input follow from its place.
// The C++ side: src/glsort/tree_pointer.h.

#define IN_ORDER 0x80000000u

struct Node {
    Record value;
    uint left;
    uint right;
};

#if defined(INDEX_IS_NUMBER)
uint pointer_to(Index record, uint k) { return (record << 1u) | k; }
Index record_of(uint pointer) { return (pointer & 0x7fffffffu) >> 1u; }
uint element_of(uint pointer) { return pointer & 1u; }
#else
// Two texel coordinates of 15 bits; the element is bit 15.
uint pointer_to(Index record, uint k) { return record.x | (k << 15u) | (record.y << 16u); }
Index record_of(uint pointer) { return uvec2(pointer & 0x7fffu, (pointer >> 16u) & 0x7fffu); }
uint element_of(uint pointer) { return (pointer >> 15u) & 1u; }
#endif

// The children of node `pointer` of a tree that lies in order: an even element is a leaf. With t ones
// at the end of its number an element has children 2^(t-1) away, so the left one lacks the last but
// first of these ones, and the right one has the zero before them instead.
uvec2 children_in_order(uint pointer) {
    if (element_of(pointer) == 0u) return uvec2(0u);
    pointer |= IN_ORDER;
#if defined(INDEX_IS_NUMBER)
    uint zero = ~pointer & (pointer + 1u);
    uint one = zero >> 1u;
#else
    uvec2 record = record_of(pointer);
    uvec2 zeros = ~record & (record + uvec2(1u));
    uint zero, one;
#if defined(LAYOUT_Z_ORDER)
    if (zeros.x <= zeros.y) {
        zero = zeros.x;
        one = zeros.x == 1u ? 0x8000u : zeros.x << 15u;
    } else {
        zero = zeros.y << 16u;
        one = zeros.y;
    }
#else
    const uint width = 1u << LAYOUT_WIDTH_LOG2;
    if (zeros.x < width) {
        zero = zeros.x;
        one = zeros.x == 1u ? 0x8000u : zeros.x >> 1u;
    } else {
        zero = zeros.y << 16u;
        one = zeros.y > 1u ? zeros.y << 15u : width > 1u ? width >> 1u : 0x8000u;
    }
#endif
#endif
    return uvec2(pointer ^ one, pointer ^ one ^ zero);
}

// A node of a tree that lies in order.
Node node_in_order(Record value, uint pointer) {
    uvec2 children = children_in_order(pointer);
    return Node(value, children.x, children.y);
}

// The record of number_of(record) / 2.
#if defined(INDEX_IS_NUMBER)
Index half_of(Index record) { return record >> 1u; }
uint last_bit(Index record) { return record & 1u; }
#elif defined(LAYOUT_Z_ORDER)
Index half_of(Index record) { return uvec2(record.y, record.x >> 1u); }
uint last_bit(Index record) { return record.x & 1u; }
#else
Index half_of(Index record) { return index_of(number_of(record) >> 1u); }
uint last_bit(Index record) { return number_of(record) & 1u; }
#endif

// A node as it lies in a stream: value, left, right.
uvec4 words_of(Node node) { return uvec4(node.value, node.left, node.right); }
