// Where the first element of each digit of each stretch goes: the sums of all counts before. Each invocation adds
// up a row of them.

void kernel(Index instance) {
    uint length = (op_elements + GROUP_SIZE - 1u) / GROUP_SIZE;
    uint begin = min(LANE * length, op_elements);
    uint end = min(begin + length, op_elements);
    uint sum = 0u;
    for (uint i = begin; i < end; ++i) sum += counts_gather(i);
    uint total;
    uint before = group_scan(sum, GROUP_SIZE, total);
    for (uint i = begin; i < end; ++i) {
        offsets_scatter(i, before);
        before += counts_gather(i);
    }
}
