// One step of a sorting network (src/glsort/plan/networks/network.h), seen from one record of two neighbours. The
// network's own GLSL, in front of this, says what each element is compared with. With GLSORT_BY_ELEMENT:
//     bool has_partner(uint element, out uint partner, out bool smaller)
//                                                    the partner, and whether the element becomes the smaller one.
// By record, where partners are the same elements of two records; GLSORT_CROSSED: the one's first and the other's
// second; GLSORT_WITHIN: the two elements of a record:
//     bool ascends(Index record)                     whether the comparators there put the smaller element first;
//     bool has_partner(Index record, uint k, out Index partner, out bool smaller)
//                                                    the record of the partner of element k, and as above.
// GLSORT_PRUNED: a partner may lie past the end of the `count` elements; such a partner acts as +infinity, and the
// element stays.

#if defined(GLSORT_PRUNED)
bool is_there(Index record, uint k) { return number_of(record) * 2u + k < op_count; }
#else
#define is_there(record, k) true
#endif

#if defined(GLSORT_CROSSED)
#define PARTNER_OF(k) (1u - (k))
#else
#define PARTNER_OF(k) (k)
#endif

// Equal records are equal in every bit: then it does not matter which is taken.
#if defined(GLSORT_BY_ELEMENT)
Record compared(Record mine, Index record, uint k) {
    uint partner = 0u;
    bool smaller = true;
    if (!has_partner(number_of(record) * 2u + k, partner, smaller) || partner >= op_count) return mine;
    Record other = source_gather(partner);
    return precedes(other, mine) == smaller ? other : mine;
}
#elif !defined(GLSORT_WITHIN)
Record compared(Record mine, Index record, uint k) {
    Index partner;
    bool smaller;
    if (!has_partner(record, k, partner, smaller) || !is_there(partner, PARTNER_OF(k))) return mine;
    Record other = source_read(partner, PARTNER_OF(k));
    return precedes(other, mine) == smaller ? other : mine;
}
#endif

void kernel(Index instance) {
    Record first = source_read(instance, 0u);
    // Of an odd count the last record lacks its second element, which no one reads.
    Record second = is_there(instance, 1u) ? source_read(instance, 1u) : first;
#if defined(GLSORT_WITHIN)
    bool exchange = precedes(second, first) == ascends(instance);
    target_write(0u, exchange ? second : first);
    target_write(1u, exchange ? first : second);
#else
    target_write(0u, compared(first, instance, 0u));
    target_write(1u, compared(second, instance, 1u));
#endif
}
