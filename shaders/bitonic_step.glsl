// One step of a bitonic sorting network (Batcher 1968), seen from one record of two neighbours. Their
// partners are the two of the record `distance` away, or each other: WITHIN. Blocks of `block` records
// ascend or descend so that the last one, whose number is odd or not, ascends
// (src/glsort/plan/bitonic.h). PRUNED: the `count` elements are no power of two, so a partner may lie
// past the end; it acts as +infinity, and the element stays.

#if defined(PRUNED)
bool is_there(Index record, uint k) { return number_of(record) * 2u + k < op_count; }
#else
#define is_there(record, k) true
#endif

void kernel(Index instance) {
    bool ascending = any_bit(instance & op_block) == (op_odd != 0u);
    Record first = source_read(instance, 0u);
    // Of an odd count the last record lacks its second element, which no one reads.
    Record second = is_there(instance, 1u) ? source_read(instance, 1u) : first;
    // Equal records are equal in every bit: then it does not matter which is taken.
#if defined(WITHIN)
    bool exchange = precedes(second, first) == ascending;
    target_write(0u, exchange ? second : first);
    target_write(1u, exchange ? first : second);
#else
    Index partner = instance ^ op_distance;
    bool smaller = any_bit(instance & op_distance) != ascending;
    if (is_there(partner, 0u)) {
        Record other = source_read(partner, 0u);
        if (precedes(other, first) == smaller) first = other;
    }
    if (is_there(partner, 1u)) {
        Record other = source_read(partner, 1u);
        if (precedes(other, second) == smaller) second = other;
    }
    target_write(0u, first);
    target_write(1u, second);
#endif
}
