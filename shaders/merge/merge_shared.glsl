// Merges the RUNS runs of a group window by window, each by a group of invocations in shared memory: a
// window is a tile. merge_split has said which part of each run a window takes. These parts are loaded one
// after the other and merged, two and two.

uint parts[RUNS + 1];  // where the part of each run begins in the tile

// Loads the parts of the window that begins at `begin`.
void load_parts(uint begin) {
    uint group = group_of(begin);
    uint from[RUNS];
    uint to[RUNS];
    bounds_at(begin, group, from);
    bounds_at(begin + WINDOW, group, to);
    parts[0] = 0u;
    for (int i = 0; i < RUNS; ++i) parts[i + 1] = parts[i] + to[i] - from[i];
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        uint element = from[0] + place;
        for (int i = 1; i < RUNS; ++i)
            if (place >= parts[i]) element = from[i] + place - parts[i];
        tile_store(place, begin + place < op_count ? source_gather(element) : MISSING);
    }
    // What is missing from the last window of all continues its last part.
    parts[RUNS] = TILE;
}

uvec3 runs_at(uint place) {
    uvec3 runs = uvec3(parts[0], parts[1], parts[2]);
    for (int i = 2; i < RUNS; i += 2)
        if (place >= parts[i]) runs = uvec3(parts[i], parts[i + 1], parts[i + 2]);
    return runs;
}

// Two parts each are one now.
void halve_parts() {
    for (int i = 1; i <= RUNS / 2; ++i) parts[i] = parts[2 * i];
    for (int i = RUNS / 2 + 1; i <= RUNS; ++i) parts[i] = TILE;
}

void kernel(Index instance) {
    uint begin = number_of(instance) * WINDOW;
    load_parts(begin);
    barrier();
    for (int left = RUNS; left > 1; left /= 2) {
        merge_neighbours();
        halve_parts();
    }
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        if (begin + place < op_count) target_scatter(begin + place, tile_load(place));
    }
}
