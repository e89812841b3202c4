// Finds the starts of windows in a merge: how many elements of each of the GLSORT_RUNS runs come before a window. The
// method is the merge path (Odeh et al. 2012) for more than two runs.
//
// The search takes blocks of elements from the runs, always the block with the smallest last element. Fewer than
// GLSORT_RUNS untaken blocks can precede that element. The block therefore comes before the window if at least
// GLSORT_RUNS blocks are still missing. Then the block size is halved. Each size takes about GLSORT_RUNS steps,
// whatever the keys are, so neighbouring instances do not diverge.
//
// At first the search skips elements that probably come before the window (merge_share.glsl). If too many may have been
// skipped, the search starts again at the starts of the runs.
//
// Among equal keys, keys of an earlier run come first.
//
// expects ports: splits
// expects macros: GLSORT_RUNS, GLSORT_SPLIT_TEXELS, GLSORT_WINDOW
// allows macros: GLSORT_LISTS
// ignores macros: GLSORT_ELEMENTS, GLSORT_PARTS, GLSORT_SIDE

#include "lib/layout.glsl"
#include "merge/merge_key.glsl"
#include "merge/merge_group.glsl"
#if !defined(GLSORT_LISTS)
#include "merge/merge_share.glsl"
#endif

// The last element of a run's next block, and its key. GLSORT_NONE: the run has no such block.
struct glsort_Head {
    uint last;
    glsort_Key key;
};

bool glsort_sooner(glsort_Head a, glsort_Head b) {
    return a.last != GLSORT_NONE && (b.last == GLSORT_NONE || glsort_key_precedes(a.key, b.key));
}

glsort_Head glsort_head_at(uint last, uint end) {
    glsort_Head head = glsort_Head(GLSORT_NONE, glsort_Key(GLSORT_NONE));
    if (last < end) head = glsort_Head(last, glsort_key_at(last));
    return head;
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
        // If the runs are in order, the number of elements of the run that come before the window.
        taken[i] = min(rank - before, size);
        before += taken[i];
    }
    bool found = glsort_is_in_order(begins, ends);
    uint skipped[GLSORT_RUNS];
#if defined(GLSORT_LISTS)
    for (int i = 0; i < GLSORT_RUNS; ++i) skipped[i] = 0u;  // The shares of lists are unknown.
#else
    glsort_skip(rank, begins, ends, skipped);
#endif
    while (!found) {
        uint missing = rank;
        uint untouched = 0u;  // A bit for each run with skipped elements from which nothing was taken yet.
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
        // Computed here: before the search, this would need more registers. Sorts would take 1% to 6% longer
        // (docs/experiments.md).
        for (int i = 0; i < GLSORT_RUNS; ++i) skipped[i] = 0u;
    }
    for (int part = 0; part < int(GLSORT_SPLIT_TEXELS); ++part) {
        uvec4 words = uvec4(0u);
        for (int i = 0; i < 4; ++i)
            if (part * 4 + i < GLSORT_RUNS) words[i] = taken[part * 4 + i];
        glsort_splits_write(uint(part), words);
    }
}
