// Bitonic trees: nodes, and pointers to them (GPU-ABiSort, section 4.2 and appendix A).
//
// A pointer is a record and one of its two elements. The highest bit marks a node of the sorted sequences with which
// the merge begins. Sequences lie in order, so the children of such a node follow from its place.
// src/glsort/plan/abisort/tree_pointer.h is the C++ version.
//
// allows macros: GLSORT_INDEX_IS_NUMBER, GLSORT_LAYOUT_ROWS, GLSORT_LAYOUT_Z_ORDER

#include "lib/element.glsl"
#include "lib/layout.glsl"

#define GLSORT_IN_ORDER 0x80000000u

struct glsort_Node {
    glsort_Element value;
    uint left;
    uint right;
};

#if defined(GLSORT_INDEX_IS_NUMBER)
uint glsort_pointer_to(glsort_Index record, uint k) { return (record << 1u) | k; }
glsort_Index glsort_record_of(uint pointer) { return (pointer & 0x7fffffffu) >> 1u; }
uint glsort_element_of(uint pointer) { return pointer & 1u; }
#else
// Two texel coordinates of 15 bits each. Bit 15 is the element.
uint glsort_pointer_to(glsort_Index record, uint k) { return record.x | (k << 15u) | (record.y << 16u); }
glsort_Index glsort_record_of(uint pointer) { return uvec2(pointer & 0x7fffu, (pointer >> 16u) & 0x7fffu); }
uint glsort_element_of(uint pointer) { return (pointer >> 15u) & 1u; }
#endif

// The children of node `pointer` in a tree that lies in order. A node with an even number is a leaf. Otherwise its
// number ends in t ones. Clearing the highest of these ones gives the left child. Setting also the zero above the ones
// gives the right child.
uvec2 glsort_children_in_order(uint pointer) {
    if (glsort_element_of(pointer) == 0u) return uvec2(0u);
    pointer |= GLSORT_IN_ORDER;
#if defined(GLSORT_INDEX_IS_NUMBER)
    uint zero = ~pointer & (pointer + 1u);
    uint one = zero >> 1u;
#else
    uvec2 record = glsort_record_of(pointer);
    uvec2 zeros = ~record & (record + uvec2(1u));
    uint zero, one;
#if defined(GLSORT_LAYOUT_Z_ORDER)
    if (zeros.x <= zeros.y) {
        zero = zeros.x;
        one = zeros.x == 1u ? 0x8000u : zeros.x << 15u;
    } else {
        zero = zeros.y << 16u;
        one = zeros.y;
    }
#else
    uint width = GLSORT_LAYOUT_ROWS.y + 1u;
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
glsort_Node glsort_node_in_order(glsort_Element value, uint pointer) {
    uvec2 children = glsort_children_in_order(pointer);
    return glsort_Node(value, children.x, children.y);
}

// The record whose number is glsort_number_of(record) / 2.
#if defined(GLSORT_INDEX_IS_NUMBER)
glsort_Index glsort_half_of(glsort_Index record) { return record >> 1u; }
uint glsort_last_bit(glsort_Index record) { return record & 1u; }
#elif defined(GLSORT_LAYOUT_Z_ORDER)
glsort_Index glsort_half_of(glsort_Index record) { return uvec2(record.y, record.x >> 1u); }
uint glsort_last_bit(glsort_Index record) { return record.x & 1u; }
#else
glsort_Index glsort_half_of(glsort_Index record) { return glsort_index_of(glsort_number_of(record) >> 1u); }
uint glsort_last_bit(glsort_Index record) { return glsort_number_of(record) & 1u; }
#endif

// A node as a stream stores nodes: value, left, right.
uvec4 glsort_words_of(glsort_Node node) { return uvec4(node.value, node.left, node.right); }
