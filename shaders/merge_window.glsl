// A window of the merged sequence: WINDOW elements, taken from RUNS sorted runs of op_run elements that
// lie one after the other. The window's elements of run i are source[begin[i]] and the following, as
// many as ends[i] - ends[i - 1] says: they have the slots up to ends[i] in the window.

uint run_begin(uint group, int i) { return group + uint(i) * op_run; }

// Elements of run i: fewer than op_run at the end of the input.
uint run_length(uint group, int i) {
    uint first = run_begin(group, i);
    return min(op_count - min(first, op_count), op_run);
}

uint group_of(uint element) { return element & ~(uint(RUNS) * op_run - 1u); }

// How many elements of each run come before the window, in splits; a group begins with none.
void window_at(uint window, out uint begin[RUNS], out uint ends[RUNS]) {
    uint first = window * WINDOW;
    uint group = group_of(first);
    bool opens = first == group;
    bool closes = first + WINDOW >= op_count || group_of(first + WINDOW) != group;
    uvec4 low4 = uvec4(0u);
    uvec4 high4 = uvec4(0u);
    uint slot = 0u;
    for (int i = 0; i < RUNS; ++i) {
        if (i % 4 == 0) {
            uint texel = window * SPLIT_TEXELS + uint(i / 4);
            if (!opens) low4 = splits_gather(texel);
            if (!closes) high4 = splits_gather(texel + SPLIT_TEXELS);
        }
        uint low = low4[i % 4];
        uint high = closes ? run_length(group, i) : high4[i % 4];
        begin[i] = run_begin(group, i) + low;
        slot += high - low;
        ends[i] = slot;
    }
}
