// Merges one side of a window, by keys alone, and says where its elements come from (merge_window.glsl).
// Even instances merge the lower SIDE elements upwards from the window's begin, odd ones the upper SIDE
// downwards from its end: so one split serves two instances. Equal keys: those of an earlier run come
// first.
//
// Downwards, keys are complemented and runs taken in reverse, so that both are the same code.

#if defined(COMPARISON)
// There is no key that stands for the end of a run, and none that is another's complement.
bool sooner(Key a, uint element_a, Key b, uint element_b, bool down) {
    if (element_a == NONE || element_b == NONE) return element_a != NONE && element_b == NONE;
    return down ? key_precedes(b, a) : key_precedes(a, b);
}
#define towards(key, down) (key)
#else
#define sooner(a, element_a, b, element_b, down) key_precedes(a, b)
#define towards(key, down) ((key) ^ ((down) ? NONE : 0u))
#endif

// The sources of a side whose window, a whole one, is in order: `ends` are where the runs' parts of it end.
void write_in_order(uint ends[RUNS], bool down) {
    for (uint part = 0u; part < SIDE / 16u; ++part) {
        uvec4 sources = uvec4(0u);
        uint begin = 0u;
        uint bound = down ? WINDOW - 16u * part : 16u * part;
        for (int i = 0; i < RUNS; ++i) {
            uint passed = clamp(bound, begin, ends[i]);
            sources[2 + i / 4] |= (down ? ends[i] - passed : passed - begin) << uint(i % 4 * 8);
            begin = ends[i];
        }
        for (uint step = 0u; step < 16u; ++step) {
            uint place = down ? bound - 1u - step : bound + step;
            uint run = 0u;
            for (int i = 0; i + 1 < RUNS; ++i) run += uint(ends[i] <= place);
            sources[step / 8u] |= run << (step % 8u * 4u);
        }
        sources_write(part, sources);
    }
}

void kernel(Index instance) {
    uint side = number_of(instance);
    bool down = (side & 1u) != 0u;
    uint bound[RUNS];
    side_at(side, bound);
    uint group = group_of((side >> 1u) * WINDOW);
    uint other[RUNS];
    side_at(side ^ 1u, other);
    uint ends[RUNS];
    uint size = 0u;
    for (int i = 0; i < RUNS; ++i) {
        size += down ? bound[i] - other[i] : other[i] - bound[i];
        ends[i] = size;
    }
    if (size == WINDOW) {
        uint from[RUNS] = bound;
        uint to[RUNS] = other;
        if (down) {
            from = other;
            to = bound;
        }
        if (is_in_order(from, to)) {
            write_in_order(ends, down);
            return;
        }
    }
#if !defined(LISTS)
    // An element is a run's last one in this direction if the bits of op_run - 1 are these.
    uint end = down ? 0u : op_run - 1u;
    uint end_of_all = down ? NONE : op_count - 1u;
#endif

    Key key[RUNS];    // of the run's next element; all ones where there is none
    uint next[RUNS];  // that element
    for (int i = 0; i < RUNS; ++i) {
        int run = down ? RUNS - 1 - i : i;
        uint begin = run_begin(group, run);
        uint place = 0u;
        for (int j = 0; j < RUNS; ++j)
            if (j == run) place = bound[j];
        bool left = down ? place > begin : place < begin + run_length(group, run);
        next[i] = left ? place - uint(down) : NONE;
        key[i] = Key(NONE);
        if (left) key[i] = towards(key_at(next[i]), down);
    }

    // The steps that take an element. Only the last window of all (of lists, of a group) lacks some; from its end
    // they are the first.
    uint first = (side >> 1u) * WINDOW;
    uint present = min(elements_end(first) - first, WINDOW);
    uint first_step = down ? min(WINDOW - present, SIDE) : 0u;
    uint last_step = down ? SIDE : min(present, SIDE);
    uint onward = down ? NONE : 1u;  // To the next element of a run: one less, or one more.
    uvec2 taken = uvec2(0u);
    // Bounds that no compiler knows: it would unroll this to hundreds of comparisons. And no branches within:
    // a software rasteriser runs through all of them.
    uint first_part = first_step / 16u;
    uint last_part = (last_step + 15u) / 16u;
    for (uint part = first_part; part < last_part; ++part) {
        uvec4 sources = uvec4(NO_RUNS, NO_RUNS, taken);
        uint step = max(16u * part, first_step);
        for (; step < min(16u * part + 16u, last_step); ++step) {
            Key smallest = key[0];
            uint element = next[0];
            for (int i = 1; i < RUNS; ++i)
                if (sooner(key[i], next[i], smallest, element, down)) {
                    smallest = key[i];
                    element = next[i];
                }
            // All ones may be a key as well as the end of a run.
            if (element == NONE)
                for (int i = RUNS - 1; i >= 0; --i)
                    if (next[i] != NONE) element = next[i];
            uint run = run_of(element, group);
#if defined(LISTS)
            bool last =
                element == (down ? run_begin(group, int(run)) : run_end(group, int(run)) - 1u);
#else
            bool last = (element & (op_run - 1u)) == end || element == end_of_all;
#endif
            sources.xy = push_run(sources.xy, run);
            taken = take(taken, run);
            uint following = last ? element : element + onward;
            Key following_key = towards(key_at(following), down);
            if (last) {
                following = NONE;
                following_key = Key(NONE);
            }
            for (int i = 0; i < RUNS; ++i)
                if (next[i] == element) {
                    next[i] = following;
                    key[i] = following_key;
                }
        }
        for (; step < 16u * part + 16u; ++step) sources.xy = push_run(sources.xy, NO_RUN);
        sources_write(part, sources);
    }
    for (uint part = 0u; part < first_part; ++part) sources_write(part, uvec4(NO_RUNS, NO_RUNS, 0u, 0u));
    for (uint part = last_part; part < SIDE / 16u; ++part)
        sources_write(part, uvec4(NO_RUNS, NO_RUNS, taken));
}
