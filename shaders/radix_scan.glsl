// Where the first element of each digit of each stretch goes: the sums of all counts before. Each invocation adds
// up a row of them.

#pragma optionNV(unroll all)

const uint AT_ONCE = 16u;  // on their way

uint counts[AT_ONCE];

// The next counts of a row; past its end none.
void fetch(uint first, uint end) {
    for (uint k = 0u; k < AT_ONCE; ++k) counts[k] = counts_gather(min(first + k, end - 1u));
    for (uint k = 0u; k < AT_ONCE; ++k) counts[k] = first + k < end ? counts[k] : 0u;
}

void kernel(Index instance) {
    uint length = (op_elements + GROUP_SIZE - 1u) / GROUP_SIZE;
    uint begin = min(LANE * length, op_elements);
    uint end = min(begin + length, op_elements);
    uint sum = 0u;
    for (uint i = begin; i < end; i += AT_ONCE) {
        fetch(i, end);
        for (uint k = 0u; k < AT_ONCE; ++k) sum += counts[k];
    }
    uint total;
    uint before = group_scan(sum, GROUP_SIZE, total);
    for (uint i = begin; i < end; i += AT_ONCE) {
        fetch(i, end);
        for (uint k = 0u; k < AT_ONCE && i + k < end; ++k) {
            offsets_scatter(i + k, before);
            before += counts[k];
        }
    }
}
