// How often each digit occurs in a stretch.

shared uint digit_counts[DIGITS];

void kernel(Index instance) {
    uint stretch = number_of(instance);
    for (uint digit = LANE; digit < DIGITS; digit += GROUP_SIZE) digit_counts[digit] = 0u;
    barrier();
    uint begin = stretch * op_length;
    uint end = min(begin + op_length, op_count);
    for (uint i = begin + LANE; i < end; i += GROUP_SIZE)
        atomicAdd(digit_counts[digit_of(source_gather(i), op_shift, op_bits)], 1u);
    barrier();
    for (uint digit = LANE; digit < DIGITS; digit += GROUP_SIZE)
        counts_scatter(digit * op_stretches + stretch, digit_counts[digit]);
}
