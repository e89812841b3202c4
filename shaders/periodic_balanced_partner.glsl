// Partners in a periodic balanced sorting network (src/glsort/plan/periodic_balanced.h): a block is compared with its
// mirror image. op_mirror: the bits of a record's number that say where in its block it is; op_half: the highest.

bool ascends(Index record) { return true; }

bool has_partner(Index record, uint k, out Index partner, out bool smaller) {
    partner = record ^ op_mirror;
    smaller = !any_bit(record & op_half);
    return true;
}
