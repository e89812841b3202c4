// Comparators of sorting networks.

#include "lib/element.glsl"

// A comparator. `a` gets the smaller element if `ascending`, else the larger one.
void glsort_compare(inout glsort_Element a, inout glsort_Element b, bool ascending) {
    bool exchange = glsort_precedes(b, a) == ascending;
    glsort_Element first = exchange ? b : a;
    b = exchange ? a : b;
    a = first;
}

// Sorts a bitonic run: the last three steps of any bitonic merge.
void glsort_merge_bitonic(inout glsort_Element run[8], bool ascending) {
    for (int i = 0; i < 4; ++i) glsort_compare(run[i], run[i + 4], ascending);
    for (int i = 0; i < 8; i += 4) {
        glsort_compare(run[i], run[i + 2], ascending);
        glsort_compare(run[i + 1], run[i + 3], ascending);
    }
    for (int i = 0; i < 8; i += 2) glsort_compare(run[i], run[i + 1], ascending);
}
