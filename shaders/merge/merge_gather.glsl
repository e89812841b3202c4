// Moves the elements of a record to their place in the merged sequence: merge_order has said where each
// comes from.

void kernel(Index instance) {
    uint first = number_of(instance) * ELEMENTS;
    uint side = first / SIDE;
    bool down = (side & 1u) != 0u;
    uint bound[RUNS];
    side_at(side, bound);

    // From where the side's merge began; it met the record's elements in the order of `step`.
    uint step = first % SIDE;
    if (down) step = SIDE - ELEMENTS - step;
    uvec4 sources = sources_gather(side * PARTS + step / 16u);
    uvec2 taken = sources.zw;
    Record merged[ELEMENTS];
#if defined(SHARED_TEXEL)
    // The record's elements are not the first of their texel.
    for (uint before = 0u; before < step % 16u; ++before) {
        uint run = run_at(sources, before);
        if (run != NO_RUN) taken = take(taken, run);
    }
#endif
    for (uint k = 0u; k < ELEMENTS; ++k) {
        if (k > 0u && k % 16u == 0u) {
            sources = sources_gather(side * PARTS + (step + k) / 16u);
            taken = sources.zw;
        }
        uint place = k % 16u;
#if defined(SHARED_TEXEL)
        place += step % 16u;
#endif
        uint run = run_at(sources, place);
        uint begin = bound[0];
        for (int i = 1; i < RUNS; ++i)
            if (run == uint(i)) begin = bound[i];
        uint count = taken_of(taken, run);
        uint element = down ? begin - 1u - count : begin + count;
        // Without a branch: a software rasteriser goes both ways.
        bool any = run != NO_RUN;
        Record value = source_gather(any ? element : 0u);
        merged[k] = any ? value : MISSING;
        taken = any ? take(taken, run) : taken;
    }
    for (uint k = 0u; k < ELEMENTS; ++k) target_write(k, down ? merged[ELEMENTS - 1u - k] : merged[k]);
}
