// One digit a group: the counts of its tiles become the places where the tiles' keys begin.

shared uint sums[GROUP_SIZE];

void kernel(Index digit) {
    uint start = 0u;
    for (uint below = 0u; below < digit; ++below) start += totals_gather(below);
    for (uint first = 0u; first < op_tiles; first += GROUP_SIZE) {
        uint tile = first + LANE;
        uint count = tile < op_tiles ? counts_gather(digit * op_tiles + tile) : 0u;
        sums[LANE] = count;
        memoryBarrierShared();
        barrier();
        for (uint distance = 1u; distance < GROUP_SIZE; distance *= 2u) {
            uint before = LANE >= distance ? sums[LANE - distance] : 0u;
            barrier();
            sums[LANE] += before;
            memoryBarrierShared();
            barrier();
        }
        if (tile < op_tiles) offsets_scatter(digit * op_tiles + tile, start + sums[LANE] - count);
        start += sums[GROUP_SIZE - 1u];
        barrier();
    }
}
