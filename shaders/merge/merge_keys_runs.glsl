// Sorts runs of GLSORT_WINDOW keys in registers: two records of GLSORT_ELEMENTS. An instance sorts both records
// separately, by one sorting network (plan/networks/sorting_network.h), and keeps one record. As in
// shaders/merge/merge_keys.glsl, the record has the smallest keys, or the greatest, which have the smallest
// complements. Reading the whole run twice costs less than another pass. Keys past the end of the input are greater
// than all others.
//
// expects ports: source
// expects parameters: count
// expects macros: GLSORT_ELEMENTS, GLSORT_SORTING_NETWORK, GLSORT_WINDOW

#include "lib/key_code.glsl"
#include "lib/layout.glsl"
#include "networks/bitonic_record.glsl"

#define GLSORT_COMPARE(a, b) glsort_compare_pairs(both[a], both[b]);

// Compares the keys of two records at once. `a` gets the smaller keys.
void glsort_compare_pairs(inout uvec2 a, inout uvec2 b) {
    uvec2 smallest = min(a, b);
    b = max(a, b);
    a = smallest;
}

void glsort_kernel(glsort_Index instance) {
    uint side = glsort_number_of(instance);
    uint toward = (side & 1u) != 0u ? GLSORT_NONE : 0u;
    uint first = (side >> 1u) * GLSORT_WINDOW;
    uvec2 both[GLSORT_ELEMENTS];
    for (uint i = 0u; i < GLSORT_ELEMENTS; ++i) {
        uvec2 element = first + i + uvec2(0u, GLSORT_ELEMENTS);
        both[i] = uvec2(glsort_source_gather(min(element.x, glsort_op_count - 1u)),
                        glsort_source_gather(min(element.y, glsort_op_count - 1u)));
        both[i] = (both[i] | (0u - uvec2(greaterThanEqual(element, uvec2(glsort_op_count))))) ^ toward;
    }
    GLSORT_SORTING_NETWORK

    uvec4 merged[GLSORT_RECORD_TEXELS];
    for (int i = 0; i < GLSORT_RECORD_TEXELS; ++i)
        for (int k = 0; k < 4; ++k) merged[i][k] = min(both[4 * i + k].x, both[int(GLSORT_ELEMENTS) - 1 - 4 * i - k].y);
    glsort_sort_bitonic(merged);
    glsort_write_side(merged, toward);
}
