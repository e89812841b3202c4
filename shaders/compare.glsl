// A comparator of a sorting network: the smaller record to `a` where that ascends.

void compare(inout Record a, inout Record b, bool ascending) {
    bool exchange = precedes(b, a) == ascending;
    Record first = exchange ? b : a;
    b = exchange ? a : b;
    a = first;
}
