// Where the windows of a merge begin: of the elements that come before a window, how many each of the
// GLSORT_RUNS runs has. The merge path (Odeh et al. 2012) for more than two runs.
//
// From each run, blocks of elements are taken, always the one whose last element comes first. That element
// has fewer than GLSORT_RUNS blocks before it, apart from what is taken: as long as as many are missing, its block
// comes before the window. Then blocks are halved. Each size takes about GLSORT_RUNS steps, whatever the keys are,
// so that neighbouring instances go the same way.
//
// What is likely to come before the window is skipped at first (merge_share.glsl). Where that may have been too much,
// blocks are taken from the runs' begins.
//
// Equal keys: those of an earlier run come first.
//
// expects ports: splits
// expects macros: GLSORT_RUNS, GLSORT_SPLIT_TEXELS, GLSORT_WINDOW
// allows macros: GLSORT_LISTS
// ignores macros: GLSORT_ELEMENTS, GLSORT_PARTS, GLSORT_SIDE

#include "merge/merge_key.glsl"
#include "merge/merge_group.glsl"
#if !defined(GLSORT_LISTS)
#include "merge/merge_share.glsl"
#endif

// The last element of a run's next block, and its key; GLSORT_NONE where the run has no such block.
struct glsort_Head {
    uint last;
    glsort_Key key;
};

bool glsort_sooner(glsort_Head a, glsort_Head b) {
    if (a.last == GLSORT_NONE) return false;
    return b.last == GLSORT_NONE || glsort_key_precedes(a.key, b.key);
}

glsort_Head glsort_head_at(uint last, uint end) {
    if (last >= end) return glsort_Head(GLSORT_NONE, glsort_Key(GLSORT_NONE));
    return glsort_Head(last, glsort_key_at(last));
}

void glsort_kernel(glsort_Index instance) {
    uint rank = glsort_number_of(instance) * GLSORT_WINDOW;
    uint group = glsort_group_of(rank);
    rank -= glsort_group_begin(group);

    uint begins[GLSORT_RUNS];
    uint ends[GLSORT_RUNS];
    uint taken[GLSORT_RUNS];
    uint before = 0u;
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        uint size = glsort_run_length(group, i);
        begins[i] = glsort_run_begin(group, i);
        ends[i] = begins[i] + size;
        // Where the runs are in order, this many come before the window.
        taken[i] = min(rank - before, size);
        before += taken[i];
    }
    bool found = glsort_is_in_order(begins, ends);
    uint skipped[GLSORT_RUNS];
#if defined(GLSORT_LISTS)
    for (int i = 0; i < GLSORT_RUNS; ++i) skipped[i] = 0u;  // Lists have no share that is known.
#else
    glsort_skip(rank, begins, ends, skipped);
#endif
    while (!found) {
        uint missing = rank;
        uint untouched = 0u;  // A bit for each run of which something was skipped, and nothing taken behind it.
        for (int i = 0; i < GLSORT_RUNS; ++i) {
            taken[i] = skipped[i];
            missing -= skipped[i];
            if (skipped[i] > 0u) untouched |= 1u << i;
        }
        glsort_Head head[GLSORT_RUNS];
        uint block = 1u;
        while (2u * block * uint(GLSORT_RUNS) < missing) block *= 2u;
        for (; block > 0u; block /= 2u) {
            for (int i = 0; i < GLSORT_RUNS; ++i)
                head[i] = glsort_head_at(begins[i] + taken[i] + block - 1u, ends[i]);
            while (missing > (block - 1u) * uint(GLSORT_RUNS)) {
                glsort_Head first = head[0];
                for (int i = 1; i < GLSORT_RUNS; ++i)
                    if (glsort_sooner(head[i], first)) first = head[i];
                if (first.last == GLSORT_NONE) break;
                int run = int(glsort_run_of(first.last, group));
                glsort_Head following =
                    glsort_head_at(first.last + block, glsort_run_begin(group, run) + glsort_run_length(group, run));
                for (int i = 0; i < GLSORT_RUNS; ++i)
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
        for (int i = 0; i < GLSORT_RUNS; ++i) skipped[i] = 0u;
    }
    for (int part = 0; part < int(GLSORT_SPLIT_TEXELS); ++part) {
        uvec4 words = uvec4(0u);
        for (int i = 0; i < 4; ++i)
            if (part * 4 + i < GLSORT_RUNS) words[i] = taken[part * 4 + i];
        glsort_splits_write(uint(part), words);
    }
}
