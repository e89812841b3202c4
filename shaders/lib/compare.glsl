// Comparators of sorting networks.

// The smaller record to `a` where that ascends.
void compare(inout Record a, inout Record b, bool ascending) {
    bool exchange = precedes(b, a) == ascending;
    Record first = exchange ? b : a;
    b = exchange ? a : b;
    a = first;
}

// Sorts a bitonic run: the last three steps of any bitonic merge.
void merge_bitonic(inout Record run[8], bool ascending) {
    for (int i = 0; i < 4; ++i) compare(run[i], run[i + 4], ascending);
    for (int i = 0; i < 8; i += 4) {
        compare(run[i], run[i + 2], ascending);
        compare(run[i + 1], run[i + 3], ascending);
    }
    for (int i = 0; i < 8; i += 2) compare(run[i], run[i + 1], ascending);
}
