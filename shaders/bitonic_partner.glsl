// Partners in a bitonic sorting network (src/glsort/plan/bitonic.h): records op_distance apart. Blocks of op_block
// records ascend or descend so that the last one, whose number is odd or not (op_odd), ascends.

bool ascends(Index record) { return any_bit(record & op_block) == (op_odd != 0u); }

bool has_partner(Index record, uint k, out Index partner, out bool smaller) {
    partner = record ^ op_distance;
    smaller = any_bit(record & op_distance) != ascends(record);
    return true;
}
