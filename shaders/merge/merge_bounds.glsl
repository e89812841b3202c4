// Where windows begin and end in the runs of a group (merge_group.glsl).

// Of each run, the first element that does not come before `place`, which is where a window of the group
// begins or ends. Between windows of one group that is in splits; a group begins and ends with its runs.
void bounds_at(uint place, uint group, out uint bound[RUNS]) {
    bool opens = place == group_begin(group);
    bool closes = closes_at(place, group);
    uvec4 splits4 = uvec4(0u);
    for (int i = 0; i < RUNS; ++i) {
        if (i % 4 == 0 && !opens && !closes)
            splits4 = splits_gather(place / WINDOW * SPLIT_TEXELS + uint(i / 4));
        bound[i] = run_begin(group, i) + (closes ? run_length(group, i) : splits4[i % 4]);
    }
}

// The same for one of the runs.
uint bound_at(uint place, uint group, int run) {
    bool opens = place == group_begin(group);
    bool closes = closes_at(place, group);
    uint split = opens || closes ? 0u : place / WINDOW * SPLIT_TEXELS + uint(run) / 4u;
    uint before = channel_of(splits_gather(split), uint(run) % 4u);
    return run_begin(group, run) + (closes ? run_length(group, run) : opens ? 0u : before);
}
