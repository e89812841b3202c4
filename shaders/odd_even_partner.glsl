// Partners in an odd-even merge sort (src/glsort/plan/odd_even.h): stretches of op_distance records are compared two
// and two, in the first step of a stage those of a block of op_block records, in the others all but its first and its
// last. CROSSED: stretches of one element.

bool ascends(Index record) { return true; }

bool has_partner(Index record, uint k, out Index partner, out bool smaller) {
    uint number = number_of(record);
#if defined(CROSSED)
    uint distance = 1u;
    smaller = k == 1u;
#else
    uint distance = op_distance;
    bool first_step = 2u * distance == op_block;
    smaller = ((number & distance) == 0u) == first_step;
#endif
    uint other = smaller ? number + distance : number - distance;
    partner = index_of(other);
    return ((other ^ number) & ~(op_block - 1u)) == 0u;
}
