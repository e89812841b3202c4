// One step of a sorting network (src/glsort/plan/network_step.h), seen from one record of two neighbours. The
// network's own file says what each is compared with:
//     bool ascends(Index record)                     whether the comparators there put the smaller element first;
//     bool has_partner(Index record, uint k, out Index partner, out bool smaller)
//                                                    the record of the partner of element k, and whether element k
//                                                    becomes the smaller of the two.
// Partners are the same elements of two records; CROSSED: the one's first and the other's second; WITHIN: the two
// elements of a record. PRUNED: the `count` elements are no power of two, so a partner may lie past the end; it acts
// as +infinity, and the element stays.

#if defined(PRUNED)
bool is_there(Index record, uint k) { return number_of(record) * 2u + k < op_count; }
#else
#define is_there(record, k) true
#endif

#if defined(CROSSED)
#define PARTNER_OF(k) (1u - (k))
#else
#define PARTNER_OF(k) (k)
#endif

// Equal records are equal in every bit: then it does not matter which is taken.
#if !defined(WITHIN)
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
#if defined(WITHIN)
    bool exchange = precedes(second, first) == ascends(instance);
    target_write(0u, exchange ? second : first);
    target_write(1u, exchange ? first : second);
#else
    target_write(0u, compared(first, instance, 0u));
    target_write(1u, compared(second, instance, 1u));
#endif
}
