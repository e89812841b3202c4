// Where the windows of a merge begin: of the elements that come before a window, how many each of the
// RUNS runs has. The merge path (Odeh et al. 2012) for more than two runs: every run has a range in
// which its split lies; while the middles of these ranges leave more than `rank` elements at or below
// them, the largest middle is past the split, else the smallest is before it. Each step halves one
// range. Equal keys: those of an earlier run come first.

#if defined(COMPARISON)
// There is no smallest or greatest key to begin with.
#define at_least(key, other, chosen) ((chosen) == RUNS || !key_precedes(key, other))
#define at_most(key, other, chosen) ((chosen) == RUNS || !key_precedes(other, key))
#else
#define at_least(key, other, chosen) !key_precedes(key, other)
#define at_most(key, other, chosen) !key_precedes(other, key)
#endif

// Where the range of a run is looked at next. Of runs that are random parts of one sequence, each has its
// share of the elements before a window, give or take a few square roots of its length: first the range
// is tried for that; then it is halved.
uint probe(uint low, uint high, uint before_share, uint after_share) {
    if (low < before_share && before_share < high) return before_share;
    if (low < after_share && after_share < high) return after_share;
    return (low + high) / 2u;
}

void kernel(Index instance) {
    uint rank = number_of(instance) * WINDOW;
    uint group = group_of(rank);
    rank -= group_begin(group);

    uint low[RUNS];
    uint high[RUNS];
    uint begins[RUNS];
    uint ends[RUNS];
    uint before = 0u;
    for (int i = 0; i < RUNS; ++i) {
        uint size = run_length(group, i);
        begins[i] = run_begin(group, i);
        ends[i] = begins[i] + size;
        // Where the runs are in order, this many come before the window.
        low[i] = min(rank - before, size);
        before += low[i];
        high[i] = min(size, rank);
    }
    if (!is_in_order(begins, ends)) {
#if defined(LISTS)
        uint before_share = 0u;  // Lists have no share that is known.
        uint after_share = 0u;
#else
        uint share = rank / uint(RUNS);
        uint spread = 1u << ((op_log_run + 1u) / 2u);
        uint before_share = share - min(spread, share);
        uint after_share = share + spread;
#endif
        Key middle[RUNS];  // the key where the run is looked at next
        uint below = 0u;   // elements at or below these, and those before ranges that are empty
        for (int i = 0; i < RUNS; ++i) {
            low[i] = 0u;
            middle[i] = Key(0u);
            if (high[i] > 0u) {
                uint place = probe(0u, high[i], before_share, after_share);
                middle[i] = key_at(run_begin(group, i) + place);
                below += place + 1u;
            }
        }
        for (;;) {
            int chosen = RUNS;
            Key key = Key(0u);
            bool past = below > rank;
            if (past) {
                for (int i = 0; i < RUNS; ++i)
                    if (low[i] < high[i] && at_least(middle[i], key, chosen)) {
                        chosen = i;
                        key = middle[i];
                    }
            } else {
                key = Key(NONE);
                for (int i = RUNS - 1; i >= 0; --i)
                    if (low[i] < high[i] && at_most(middle[i], key, chosen)) {
                        chosen = i;
                        key = middle[i];
                    }
            }
            if (chosen == RUNS) break;
            uint from = 0u;
            uint to = 0u;
            for (int i = 0; i < RUNS; ++i)
                if (i == chosen) {
                    from = low[i];
                    to = high[i];
                }
            uint place = probe(from, to, before_share, after_share);
            below -= place + 1u;
            if (past) to = place;
            else from = place + 1u;
            if (from < to) {
                place = probe(from, to, before_share, after_share);
                key = key_at(run_begin(group, chosen) + place);
                below += place + 1u;
            } else {
                below += from;
            }
            for (int i = 0; i < RUNS; ++i)
                if (i == chosen) {
                    low[i] = from;
                    high[i] = to;
                    middle[i] = key;
                }
        }
    }
    for (int part = 0; part < int(SPLIT_TEXELS); ++part) {
        uvec4 words = uvec4(0u);
        for (int i = 0; i < 4; ++i)
            if (part * 4 + i < RUNS) words[i] = low[part * 4 + i];
        splits_write(uint(part), words);
    }
}
