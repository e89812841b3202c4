// How often each digit of each pass occurs; and `status` becomes zero.
//
// Each group adds what its stretch has to `sums`, and then one to the word behind them. The last one to do so, whichever
// that is, moves the sums to `totals`, and leaves zero for the next sort. No group waits.

#pragma optionNV(unroll all)

const uint AT_ONCE = 8u;
const uint COLUMNS = PASSES * DIGITS;

shared uint digit_counts[COLUMNS];
shared uint groups_done;

void count_digits(Record record) {
    for (uint pass = 0u; pass < PASSES; ++pass) {
        uint shift = op_first + pass * DIGIT_BITS;
        uint digit = digit_of(record, shift, min(DIGIT_BITS, op_end - shift));
        atomicAdd(digit_counts[pass * DIGITS + digit], 1u);
    }
}

void kernel(Index instance) {
    uint stretch = number_of(instance);
    uint begin = stretch * op_length + LANE;
    uint end = min(stretch * op_length + op_length, op_count);
    for (uint i = LANE; i < COLUMNS; i += GROUP_SIZE) digit_counts[i] = 0u;
    barrier();
    for (uint i = begin; i < end; i += AT_ONCE * GROUP_SIZE) {
        // All on their way at once, of the last elements the last of all.
        Record records[AT_ONCE];
        for (uint k = 0u; k < AT_ONCE; ++k) records[k] = source_gather(min(i + k * GROUP_SIZE, op_count - 1u));
        for (uint k = 0u; k < AT_ONCE; ++k)
            if (i + k * GROUP_SIZE < end) count_digits(records[k]);
    }
    uint groups = (op_count - 1u) / op_length + 1u;
    for (uint i = stretch * GROUP_SIZE + LANE; i < op_status; i += groups * GROUP_SIZE) status_scatter(i, 0u);
    barrier();
    for (uint i = LANE; i < COLUMNS; i += GROUP_SIZE)
        if (digit_counts[i] > 0u) sums_add(i, digit_counts[i]);
    memoryBarrierBuffer();
    barrier();
    if (LANE == 0u) groups_done = sums_add(COLUMNS, 1u) + 1u;
    barrier();
    if (groups_done < groups) return;
    memoryBarrierBuffer();
    for (uint i = LANE; i < COLUMNS; i += GROUP_SIZE) {
        totals_scatter(i, sums_load(i));
        sums_scatter(i, 0u);
    }
    if (LANE == 0u) sums_scatter(COLUMNS, 0u);
}
