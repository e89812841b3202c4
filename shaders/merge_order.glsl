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

void kernel(Index instance) {
    uint side = number_of(instance);
    bool down = (side & 1u) != 0u;
    uint bound[RUNS];
    side_at(side, bound);
    uint group = group_of((side >> 1u) * WINDOW);
    uint missing = missing_of(side);
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

    // One long loop rather than two short ones: compilers unroll those, to hundreds of comparisons.
    uvec2 taken = uvec2(0u);
    uvec4 sources = uvec4(0u);
    for (uint step = 0u; step < SIDE; ++step) {
        if ((step & 15u) == 0u) sources = uvec4(0u, 0u, taken);
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
        if (step >= missing && element != NONE) {
#if defined(LISTS)
            uint run = run_of(element, group);
            bool last =
                element == (down ? run_begin(group, int(run)) : run_end(group, int(run)) - 1u);
#else
            uint run = element >> op_log_run & uint(RUNS - 1);
            bool last = (element & (op_run - 1u)) == end || element == end_of_all;
#endif
            uint code = run << ((step & 7u) * 4u);
            if ((step & 8u) == 0u) sources.x |= code;
            else sources.y |= code;
            taken = take(taken, run);
            uint following = NONE;
            Key following_key = Key(NONE);
            if (!last) {
                following = down ? element - 1u : element + 1u;
                following_key = towards(key_at(following), down);
            }
            for (int i = 0; i < RUNS; ++i)
                if (next[i] == element) {
                    next[i] = following;
                    key[i] = following_key;
                }
        }
        if ((step & 15u) == 15u) sources_write(step / 16u, sources);
    }
}
