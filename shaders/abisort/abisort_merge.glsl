// Bitonic merge of two runs of 8 elements by two instances, one for each half of the result (GPU-ABiSort, section 7.2).
// Both instances begin with the same 8 comparisons.
//
// glsort_op_tree: the bit of an instance's number that is the lowest bit of its tree's number. Zero if there is only
// one tree, which ascends.
//
// expects ports: source, target
// expects parameters: count, odd, one, tree
// allows macros: GLSORT_PRUNED

#include "abisort/tree.glsl"
#include "lib/compare.glsl"
#include "lib/layout.glsl"

glsort_Element glsort_element_at(glsort_Index record, uint k) {
#if defined(GLSORT_PRUNED)
    if (glsort_number_of(record) * 8u + k >= glsort_op_count) return GLSORT_MISSING;
#endif
    return glsort_source_read(record, k);
}

void glsort_kernel(glsort_Index instance) {
    bool ascending = glsort_any_bit(instance & glsort_op_tree) == (glsort_op_odd != 0u);
    bool upper = glsort_last_bit(instance) != 0u;
    glsort_Index first = upper ? instance ^ glsort_op_one : instance;
    glsort_Index second = first ^ glsort_op_one;
    glsort_Element run[8];
    for (uint i = 0u; i < 8u; ++i) {
        glsort_Element a = glsort_element_at(first, i);
        glsort_Element b = glsort_element_at(second, i);
        // The lower half of an ascending result takes the smaller elements.
        run[i] = (glsort_precedes(b, a) == ascending) != upper ? b : a;
    }
    glsort_merge_bitonic(run, ascending);
    for (uint i = 0u; i < 8u; ++i) glsort_target_write(i, run[i]);
}
