// Where the windows of a merge begin: of the elements that come before a window, how many each of the
// RUNS runs has. The merge path (Odeh et al. 2012) for more than two runs.
//
// From each run, blocks of elements are taken, always the one whose last element comes first. That element
// has fewer than RUNS blocks before it, apart from what is taken: as long as as many are missing, its block
// comes before the window. Then blocks are halved. Each size takes about RUNS steps, whatever the keys are,
// so that neighbouring instances go the same way.
//
// What is likely to come before the window is skipped at first (merge_share.glsl). Where that may have been too much,
// blocks are taken from the runs' begins.
//
// Equal keys: those of an earlier run come first.

// The last element of a run's next block, and its key; NONE where the run has no such block.
struct Head {
    uint last;
    Key key;
};

bool sooner(Head a, Head b) {
    if (a.last == NONE) return false;
    return b.last == NONE || key_precedes(a.key, b.key);
}

Head head_at(uint last, uint end) {
    if (last >= end) return Head(NONE, Key(NONE));
    return Head(last, key_at(last));
}

void kernel(Index instance) {
    uint rank = number_of(instance) * WINDOW;
    uint group = group_of(rank);
    rank -= group_begin(group);

    uint begins[RUNS];
    uint ends[RUNS];
    uint taken[RUNS];
    uint before = 0u;
    for (int i = 0; i < RUNS; ++i) {
        uint size = run_length(group, i);
        begins[i] = run_begin(group, i);
        ends[i] = begins[i] + size;
        // Where the runs are in order, this many come before the window.
        taken[i] = min(rank - before, size);
        before += taken[i];
    }
    bool found = is_in_order(begins, ends);
    uint skipped[RUNS];
#if defined(LISTS)
    for (int i = 0; i < RUNS; ++i) skipped[i] = 0u;  // Lists have no share that is known.
#else
    skip(rank, begins, ends, skipped);
#endif
    while (!found) {
        uint missing = rank;
        uint untouched = 0u;  // A bit for each run of which something was skipped, and nothing taken behind it.
        for (int i = 0; i < RUNS; ++i) {
            taken[i] = skipped[i];
            missing -= skipped[i];
            if (skipped[i] > 0u) untouched |= 1u << i;
        }
        Head head[RUNS];
        uint block = 1u;
        while (2u * block * uint(RUNS) < missing) block *= 2u;
        for (; block > 0u; block /= 2u) {
            for (int i = 0; i < RUNS; ++i)
                head[i] = head_at(begins[i] + taken[i] + block - 1u, ends[i]);
            while (missing > (block - 1u) * uint(RUNS)) {
                Head first = head[0];
                for (int i = 1; i < RUNS; ++i)
                    if (sooner(head[i], first)) first = head[i];
                if (first.last == NONE) break;
                int run = int(run_of(first.last, group));
                Head following = head_at(first.last + block, run_begin(group, run) + run_length(group, run));
                for (int i = 0; i < RUNS; ++i)
                    if (i == run) {
                        taken[i] += block;
                        head[i] = following;
                    }
                missing -= block;
                untouched &= ~(1u << run);
            }
        }
        found = untouched == 0u;
        // Not before the search: that took more registers, and sorts 1% to 6% longer (docs/experiments.md).
        for (int i = 0; i < RUNS; ++i) skipped[i] = 0u;
    }
    for (int part = 0; part < int(SPLIT_TEXELS); ++part) {
        uvec4 words = uvec4(0u);
        for (int i = 0; i < 4; ++i)
            if (part * 4 + i < RUNS) words[i] = taken[part * 4 + i];
        splits_write(uint(part), words);
    }
}
