// Search trees of sorted codes in shared memory, level by level from node 1. The children of node i are 2 i and
// 2 i + 1. A tree of size `tree`, a power of two, has `tree` - 1 codes. A group has one tree at a time. GLSORT_TREE:
// the size of the largest tree.
//
// expects macros: GLSORT_KEY_WORDS, GLSORT_TREE

#include "lib/element.glsl"

shared uint glsort_tree[GLSORT_TREE * uint(GLSORT_KEY_WORDS)];

#if GLSORT_KEY_WORDS == 1
glsort_Key glsort_code_in_tree(uint node) { return glsort_tree[node]; }
void glsort_put_in_tree(uint node, glsort_Key code) { glsort_tree[node] = code; }
#else
glsort_Key glsort_code_in_tree(uint node) { return uvec2(glsort_tree[node], glsort_tree[GLSORT_TREE + node]); }
void glsort_put_in_tree(uint node, glsort_Key code) {
    glsort_tree[node] = code.x;
    glsort_tree[GLSORT_TREE + node] = code.y;
}
#endif

// The node of the code at `place` in sorted order. Places 0, 2, 4, ... are on the lowest level, and places 1, 5, 9, ...
// on the next.
uint glsort_node_of(uint place, uint tree) {
    uint height = uint(findLSB(place + 1u));
    return (tree >> (height + 1u)) + (place + 1u >> (height + 1u));
}

// The next larger code. Zero, if there is none.
#if GLSORT_KEY_WORDS == 1
glsort_Key glsort_next_code(glsort_Key code) { return code + 1u; }
#else
glsort_Key glsort_next_code(glsort_Key code) { return uvec2(code.x + uint(code.y == GLSORT_NONE), code.y + 1u); }
#endif

// One step down the tree.
void glsort_descend(inout uint node, glsort_Key code) {
    node = 2u * node + uint(glsort_key_precedes(glsort_code_in_tree(node), code));
}

// How many codes of the tree come before `code`.
uint glsort_codes_before(glsort_Key code, uint tree) {
    uint node = 1u;
    for (uint left = tree; left > 1u; left /= 2u) glsort_descend(node, code);
    return node - tree;
}
