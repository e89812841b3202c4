// Counts the digits of one tile of keys: by digit and tile in `counts`, by digit in `totals`.

shared uint digit_counts[GLSORT_DIGITS];

void glsort_kernel(glsort_Index tile) {
    for (uint digit = GLSORT_LANE; digit < GLSORT_DIGITS; digit += GLSORT_GROUP_SIZE) digit_counts[digit] = 0u;
    memoryBarrierShared();
    barrier();
    uint element = tile * GLSORT_GROUP_SIZE + GLSORT_LANE;
    if (element < glsort_op_count)
        atomicAdd(digit_counts[(glsort_keys_gather(element) >> glsort_op_shift) & (GLSORT_DIGITS - 1u)], 1u);
    memoryBarrierShared();
    barrier();
    for (uint digit = GLSORT_LANE; digit < GLSORT_DIGITS; digit += GLSORT_GROUP_SIZE) {
        glsort_counts_scatter(digit * glsort_op_tiles + tile, digit_counts[digit]);
        glsort_totals_add(digit, digit_counts[digit]);
    }
}
