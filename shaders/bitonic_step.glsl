// One step of a bitonic sorting network (Batcher 1968), seen from one record: it is compared with
// the record `distance` away. Blocks of `block` records ascend or descend so that the last one, whose
// number is odd or not, ascends (src/glsort/plan/bitonic.h). PRUNED: `count` is no power of two, so a
// partner may lie past the end; it acts as +infinity, and the record stays.

void kernel(Index instance) {
    Index partner = instance ^ op_distance;
#if defined(PRUNED)
    if (number_of(partner) >= op_count) partner = instance;
#endif
    Record mine = source_read(instance);
    Record other = source_read(partner);
    bool ascending = any_bit(instance & op_block) == (op_odd != 0u);
    bool lower = !any_bit(instance & op_distance);
    // Equal records are equal in every bit: then it does not matter which is taken.
    bool take_other = precedes(other, mine) == (lower == ascending);
    target_write(take_other ? other : mine);
}
