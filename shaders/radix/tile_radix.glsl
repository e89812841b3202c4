// Sorts up to GLSORT_TILE elements by their codes alone, in registers and shared memory. Elements with equal codes must
// lie in input order.
//
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_KEY_WORDS
// allows macros: GLSORT_PARTLY
// ignores macros: GLSORT_TILE

#include "radix/radix_rounds.glsl"

// The kernel defines what is sorted: element `number`.
glsort_Element glsort_unsorted(uint number);

// The place in the sorted tile of the element that glsort_sort_tile returns as `sorted[k]`. GLSORT_NONE: no place.
uint glsort_sorted_place(uint k) { return k < glsort_held ? glsort_element_of(k) : GLSORT_NONE; }

// For all invocations of the group.
void glsort_sort_tile(uint size, out glsort_Element sorted[GLSORT_ELEMENTS]) {
#if defined(GLSORT_PARTLY)
    glsort_held = (max(size, 1u) - 1u) / GLSORT_GROUP_SIZE + 1u;
#endif
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        if (k >= glsort_held) break;
        uint number = glsort_element_of(k);
        sorted[k] = number < size ? glsort_unsorted(number) : GLSORT_MISSING;
    }
    glsort_sort_by_digits(sorted, 0u, 32u * uint(GLSORT_KEY_WORDS));
}
