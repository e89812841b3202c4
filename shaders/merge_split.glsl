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

void kernel(Index instance) {
    uint rank = number_of(instance) * WINDOW;
    uint group = group_of(rank);
    rank -= group_begin(group);

    uint low[RUNS];
    uint high[RUNS];
    Key middle[RUNS];  // the key there
    uint below = 0u;    // elements at or below the middles, and those before ranges that are empty
    for (int i = 0; i < RUNS; ++i) {
        low[i] = 0u;
        high[i] = min(run_length(group, i), rank);
        middle[i] = Key(0u);
        if (high[i] > 0u) {
            middle[i] = key_at(run_begin(group, i) + high[i] / 2u);
            below += high[i] / 2u + 1u;
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
        uint half_way = (from + to) / 2u;
        below -= half_way + 1u;
        if (past) to = half_way;
        else from = half_way + 1u;
        if (from < to) {
            half_way = (from + to) / 2u;
            key = key_at(run_begin(group, chosen) + half_way);
            below += half_way + 1u;
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
    for (int part = 0; part < int(SPLIT_TEXELS); ++part) {
        uvec4 words = uvec4(0u);
        for (int i = 0; i < 4; ++i)
            if (part * 4 + i < RUNS) words[i] = low[part * 4 + i];
        splits_write(uint(part), words);
    }
}
