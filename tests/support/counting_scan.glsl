// One digit a group: the counts of its tiles become the places where the tiles' keys begin.

shared uint sums[GLSORT_GROUP_SIZE];

void glsort_kernel(glsort_Index digit) {
    uint start = 0u;
    for (uint below = 0u; below < digit; ++below) start += glsort_totals_gather(below);
    for (uint first = 0u; first < glsort_op_tiles; first += GLSORT_GROUP_SIZE) {
        uint tile = first + GLSORT_LANE;
        uint count = tile < glsort_op_tiles ? glsort_counts_gather(digit * glsort_op_tiles + tile) : 0u;
        sums[GLSORT_LANE] = count;
        memoryBarrierShared();
        barrier();
        for (uint distance = 1u; distance < GLSORT_GROUP_SIZE; distance *= 2u) {
            uint before = GLSORT_LANE >= distance ? sums[GLSORT_LANE - distance] : 0u;
            barrier();
            sums[GLSORT_LANE] += before;
            memoryBarrierShared();
            barrier();
        }
        if (tile < glsort_op_tiles) glsort_offsets_scatter(digit * glsort_op_tiles + tile, start + sums[GLSORT_LANE] - count);
        start += sums[GLSORT_GROUP_SIZE - 1u];
        barrier();
    }
}
