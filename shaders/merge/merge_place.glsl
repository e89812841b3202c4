// The element that belongs at a place of the merged sequence: what merge_gather does for records, for an
// op that writes elements one by one.

// How many of the places before `place` have the same run.
uint earlier(uvec2 runs, uint run, uint place) {
    uvec2 other = runs ^ (run * 0x11111111u);
    other |= other >> 2u;
    uvec2 same = ~(other | other >> 1u) & 0x11111111u;
    uint mask = (1u << ((place & 7u) * 4u)) - 1u;
    // At most 15, so that the sum of all eight fits the highest digit.
    return ((place < 8u ? same.x & mask : same.x + (same.y & mask)) * 0x11111111u) >> 28u;
}

void kernel(Index instance) {
    uint place = number_of(instance);
    uint side = place / SIDE;
    bool down = (side & 1u) != 0u;
    uint step = place % SIDE;
    if (down) step = SIDE - 1u - step;
    uvec4 sources = sources_gather(side * PARTS + step / 16u);
    uint run = run_at(sources, step % 16u);
    // Without branches: a software rasteriser goes both ways.
    bool any = run != NO_RUN;
    if (!any) run = 0u;
    uint count = taken_of(sources.zw, run) + earlier(sources.xy, run, step % 16u);
    uint first = (side >> 1u) * WINDOW;
    uint begin = bound_at(first + (down ? WINDOW : 0u), group_of(first), int(run));
    Record value = source_gather(any ? (down ? begin - 1u - count : begin + count) : 0u);
    target_write(any ? value : MISSING);
}
