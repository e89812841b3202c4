// Moves the elements of a record to their place in the merged sequence: merge_order has said where each
// comes from.

void kernel(Index instance) {
    uint first = number_of(instance) * ELEMENTS;
    uint side = first / SIDE;
    bool down = (side & 1u) != 0u;
    uint begin[RUNS];
    uint ends[RUNS];
    window_at(side >> 1u, begin, ends);

    uvec4 slots = uvec4(0u);
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint step = (first + k) % SIDE;
        if (k == 0u || (ELEMENTS > 16u && k % 16u == 0u)) {
            uint part = step / 16u;
            slots = slots_gather(side * PARTS + (down ? PARTS - 1u - part : part));
        }
        step %= 16u;
        if (down) step = 15u - step;
        uint slot = slots[step >> 2u] >> ((step & 3u) * 8u) & 255u;
        uint element = begin[0] + slot;
        for (int i = 1; i < RUNS; ++i)
            if (slot >= ends[i - 1]) element = begin[i] + (slot - ends[i - 1]);
        Record value = MISSING;
        if (first + k < op_count) value = source_gather(element);
        target_write(k, value);
    }
}
