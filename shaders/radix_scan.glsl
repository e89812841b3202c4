// Where the first element of each digit of each stretch goes: the sums of all counts before. Each invocation adds
// up a row of them.

#pragma optionNV(unroll all)

const uint AT_ONCE = 16u;  // on their way

void kernel(Index instance) {
    uint length = (op_elements + GROUP_SIZE - 1u) / GROUP_SIZE;
    uint begin = min(LANE * length, op_elements);
    uint end = min(begin + length, op_elements);
    uint sum = 0u;
    for (uint i = begin; i < end; i += AT_ONCE) {
        uint counts[AT_ONCE];
        for (uint k = 0u; k < AT_ONCE; ++k) counts[k] = counts_gather(min(i + k, end - 1u));
        for (uint k = 0u; k < AT_ONCE; ++k) sum += i + k < end ? counts[k] : 0u;
    }
    uint total;
    uint before = group_scan(sum, GROUP_SIZE, total);
    for (uint i = begin; i < end; i += AT_ONCE) {
        uint counts[AT_ONCE];
        for (uint k = 0u; k < AT_ONCE; ++k) counts[k] = counts_gather(min(i + k, end - 1u));
        for (uint k = 0u; k < AT_ONCE && i + k < end; ++k) {
            offsets_scatter(i + k, before);
            before += counts[k];
        }
    }
}
