// Moves the keys of one tile to their places: behind the keys of the tile with the same digit that
// come before them, so the sort is stable.

shared uint digits[GROUP_SIZE];

void kernel(Index tile) {
    uint element = tile * GROUP_SIZE + LANE;
    bool there = element < op_count;
    uint key = there ? keys_gather(element) : 0u;
    uint digit = (key >> op_shift) & (DIGITS - 1u);
    digits[LANE] = there ? digit : DIGITS;
    memoryBarrierShared();
    barrier();
    if (!there) return;
    uint rank = 0u;
    for (uint lane = 0u; lane < LANE; ++lane) rank += digits[lane] == digit ? 1u : 0u;
    uint place = offsets_gather(digit * op_tiles + tile) + rank;
    sorted_scatter(place, key);
    order_scatter(place, element);
}
