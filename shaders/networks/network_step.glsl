// One step of a sorting network (src/glsort/plan/networks/network.h). An instance handles one record of two neighbours.
// The GLSL of the network precedes this file and defines the comparators.
//
// GLSORT_BY_ELEMENT: the network gives the partner of an element. `smaller`: whether the element becomes the smaller of
// the two.
//     bool glsort_has_partner(uint element, out uint partner, out bool smaller)
// Otherwise the network works on records. `partner` is the record that holds the partner of element k. glsort_ascends
// tells whether a record puts its smaller element first.
//     bool glsort_has_partner(glsort_Index record, uint k, out glsort_Index partner, out bool smaller)
//     bool glsort_ascends(glsort_Index record)
// Partners then have equal places in their two records. GLSORT_CROSSED: partners are the first element of one record
// and the second of the other. GLSORT_WITHIN: partners are the two elements of a record.
//
// GLSORT_PRUNED: a partner may lie past the end of the `count` elements. Such a partner acts as +infinity, and the
// element stays.
//
// expects ports: source, target
// expects parameters: count
// allows macros: GLSORT_BY_ELEMENT, GLSORT_CROSSED, GLSORT_PRUNED, GLSORT_WITHIN

#include "lib/element.glsl"
#include "lib/layout.glsl"

#if defined(GLSORT_PRUNED)
bool glsort_is_there(glsort_Index record, uint k) { return glsort_number_of(record) * 2u + k < glsort_op_count; }
#else
#define glsort_is_there(record, k) true
#endif

#if defined(GLSORT_CROSSED)
#define GLSORT_PARTNER_OF(k) (1u - (k))
#else
#define GLSORT_PARTNER_OF(k) (k)
#endif

// Equal elements are equal in every bit, so either may be taken.
#if defined(GLSORT_BY_ELEMENT)
glsort_Element glsort_compared(glsort_Element mine, glsort_Index record, uint k) {
    uint partner = 0u;
    bool smaller = true;
    if (!glsort_has_partner(glsort_number_of(record) * 2u + k, partner, smaller) || partner >= glsort_op_count)
        return mine;
    glsort_Element other = glsort_source_gather(partner);
    return glsort_precedes(other, mine) == smaller ? other : mine;
}
#elif !defined(GLSORT_WITHIN)
glsort_Element glsort_compared(glsort_Element mine, glsort_Index record, uint k) {
    glsort_Index partner;
    bool smaller;
    if (!glsort_has_partner(record, k, partner, smaller) || !glsort_is_there(partner, GLSORT_PARTNER_OF(k)))
        return mine;
    glsort_Element other = glsort_source_read(partner, GLSORT_PARTNER_OF(k));
    return glsort_precedes(other, mine) == smaller ? other : mine;
}
#endif

void glsort_kernel(glsort_Index instance) {
    glsort_Element first = glsort_source_read(instance, 0u);
    // With an odd count, the last record lacks its second element. Nothing reads that element.
    glsort_Element second = glsort_is_there(instance, 1u) ? glsort_source_read(instance, 1u) : first;
#if defined(GLSORT_WITHIN)
    bool exchange = glsort_precedes(second, first) == glsort_ascends(instance);
    glsort_target_write(0u, exchange ? second : first);
    glsort_target_write(1u, exchange ? first : second);
#else
    glsort_target_write(0u, glsort_compared(first, instance, 0u));
    glsort_target_write(1u, glsort_compared(second, instance, 1u));
#endif
}
