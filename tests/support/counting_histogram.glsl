// Counts the digits of one tile of keys: by digit and tile in `counts`, by digit in `totals`.

shared uint digit_counts[DIGITS];

void kernel(Index tile) {
    for (uint digit = LANE; digit < DIGITS; digit += GROUP_SIZE) digit_counts[digit] = 0u;
    memoryBarrierShared();
    barrier();
    uint element = tile * GROUP_SIZE + LANE;
    if (element < op_count)
        atomicAdd(digit_counts[(keys_gather(element) >> op_shift) & (DIGITS - 1u)], 1u);
    memoryBarrierShared();
    barrier();
    for (uint digit = LANE; digit < DIGITS; digit += GROUP_SIZE) {
        counts_scatter(digit * op_tiles + tile, digit_counts[digit]);
        totals_add(digit, digit_counts[digit]);
    }
}
