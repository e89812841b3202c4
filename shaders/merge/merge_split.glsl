// Finds the starts of windows in a merge: how many elements of each of the GLSORT_RUNS runs come before a window. The
// method is the merge path (Odeh et al. 2012) for more than two runs.
//
// The search takes blocks of elements from the runs. It starts with large blocks, and halves their size again and
// again. The first block of a run is the next one that is not taken. For each size, two rules tell which blocks come
// before the window:
// - Many at once. Of all keys that end a second block, B is the smallest. C is the number of first blocks that end with
//   keys less than B. A run of such a block has fewer than two blocks of keys less than B. Every other run has less
//   than one. So the C blocks come before the window if C + GLSORT_RUNS blocks are missing.
// - One by one. Of all first blocks, take the one whose last key is smallest. Before this key come fewer elements than
//   GLSORT_RUNS blocks have. So the block comes before the window if GLSORT_RUNS blocks are missing.
//
// A second block ends where a first block of twice the size ended, so its last key is known. Of random keys, the first
// rule takes about five blocks of a size, and the second rule two or three. The loads that begin a size are outside of
// branches, so that a GPU issues them together.
//
// At first the search skips elements that probably come before the window (merge_share.glsl). If too many may have been
// skipped, the search starts again at the starts of the runs.
//
// Among equal keys, keys of an earlier run come first.
//
// expects ports: splits
// expects macros: GLSORT_RUNS, GLSORT_SPLIT_TEXELS, GLSORT_WINDOW
// allows macros: GLSORT_COMPARISON, GLSORT_LISTS
// ignores macros: GLSORT_ELEMENTS, GLSORT_PARTS, GLSORT_SIDE

#include "lib/layout.glsl"
#include "merge/merge_key.glsl"
#include "merge/merge_group.glsl"
#if !defined(GLSORT_LISTS)
#include "merge/merge_share.glsl"
#endif

// The head of a block: the key of its last element.
#if defined(GLSORT_COMPARISON)
struct glsort_Head {
    glsort_Key key;
    uint state;  // 0: the key is known. 1: there is no such block. 2: the key is unknown.
};
const glsort_Head GLSORT_NO_BLOCK = glsort_Head(glsort_Key(0u), 1u);
const glsort_Head GLSORT_UNKNOWN = glsort_Head(glsort_Key(0u), 2u);
glsort_Head glsort_known(glsort_Key key) { return glsort_Head(key, 0u); }
bool glsort_is_unknown(glsort_Head head) { return head.state == 2u; }
bool glsort_may_be_no_block(glsort_Head head) { return head.state == 1u; }
bool glsort_sooner(glsort_Head a, glsort_Head b) {
    return a.state == 0u && (b.state != 0u || glsort_key_precedes(a.key, b.key));
}
#else
// The largest key also means that there is no block: glsort_soonest_run then asks for the blocks themselves. The
// smallest key also means that the key is unknown, and is then loaded again.
#define glsort_Head glsort_Key
const glsort_Head GLSORT_NO_BLOCK = glsort_Key(GLSORT_NONE);
const glsort_Head GLSORT_UNKNOWN = glsort_Key(0u);
#define glsort_known(key) (key)
bool glsort_is_unknown(glsort_Head head) { return head == GLSORT_UNKNOWN; }
bool glsort_may_be_no_block(glsort_Head head) { return head == GLSORT_NO_BLOCK; }
bool glsort_sooner(glsort_Head a, glsort_Head b) { return glsort_key_precedes(a, b); }
#endif

// The head of the block whose last element is `last`, in a run that ends at `end`.
glsort_Head glsort_head_at(uint last, uint end) {
    glsort_Key key = glsort_key_at(last < end ? last : 0u);
    return last < end ? glsort_known(key) : GLSORT_NO_BLOCK;
}

// The search for a window.
struct glsort_Search {
    uint begins[GLSORT_RUNS];
    uint ends[GLSORT_RUNS];
    uint taken[GLSORT_RUNS];          // Elements that were taken of each run.
    glsort_Head first[GLSORT_RUNS];   // The heads of the next two blocks of each run.
    glsort_Head second[GLSORT_RUNS];
    uint missing;    // Elements that come before the window, and are not taken yet.
    uint untouched;  // A bit for each run: elements were skipped, and none was taken since.
};

// Loads the first heads of all runs.
void glsort_load_heads(inout glsort_Search search, uint block) {
    for (int i = 0; i < GLSORT_RUNS; ++i)
        search.first[i] = glsort_head_at(search.begins[i] + search.taken[i] + block - 1u, search.ends[i]);
}

// Takes many blocks at once, if enough elements are missing.
void glsort_take_many(inout glsort_Search search, uint block) {
    glsort_Head bound = search.second[0];
    for (int i = 1; i < GLSORT_RUNS; ++i)
        if (glsort_sooner(search.second[i], bound)) bound = search.second[i];
    uint blocks = 0u;
    for (int i = 0; i < GLSORT_RUNS; ++i) blocks += uint(glsort_sooner(search.first[i], bound));
    if (blocks * block + (block - 1u) * uint(GLSORT_RUNS) <= search.missing) {
        search.missing -= blocks * block;
        for (int i = 0; i < GLSORT_RUNS; ++i)
            if (glsort_sooner(search.first[i], bound)) {
                search.taken[i] += block;
                search.first[i] = search.second[i];
                search.second[i] = GLSORT_UNKNOWN;
                search.untouched &= ~(1u << i);
            }
    }
}

// The run whose first block ends soonest. GLSORT_RUNS: no run has a block.
int glsort_soonest_run(glsort_Search search, uint block) {
    glsort_Head soonest = search.first[0];
    int run = 0;
    for (int i = 1; i < GLSORT_RUNS; ++i)
        if (glsort_sooner(search.first[i], soonest)) {
            soonest = search.first[i];
            run = i;
        }
    if (glsort_may_be_no_block(soonest)) {
        run = GLSORT_RUNS;
        for (int i = GLSORT_RUNS - 1; i >= 0; --i)
            if (search.begins[i] + search.taken[i] + block <= search.ends[i]) run = i;
    }
    return run;
}

// Takes the first block of a run.
void glsort_take_one(inout glsort_Search search, int run, uint block, uint group) {
    search.missing -= block;
    search.untouched &= ~(1u << run);
    glsort_Head following = GLSORT_UNKNOWN;
    for (int i = 0; i < GLSORT_RUNS; ++i)
        if (i == run) {
            search.taken[i] += block;
            following = search.second[i];
            search.first[i] = following;
            search.second[i] = GLSORT_UNKNOWN;
        }
    if (glsort_is_unknown(following)) {
        uint last = glsort_run_begin(group, run) + block - 1u;
        for (int i = 0; i < GLSORT_RUNS; ++i)
            if (i == run) last += search.taken[i];
        following = glsort_head_at(last, glsort_run_begin(group, run) + glsort_run_length(group, run));
        for (int i = 0; i < GLSORT_RUNS; ++i)
            if (i == run) search.first[i] = following;
    }
}

// Takes the missing elements.
void glsort_take_missing(inout glsort_Search search, uint group) {
    uint block = 2u;
    while (block * uint(GLSORT_RUNS) < search.missing) block *= 2u;
    glsort_load_heads(search, block);
    for (block /= 2u; block > 0u; block /= 2u) {
        search.second = search.first;
        glsort_load_heads(search, block);
        glsort_take_many(search, block);
        while (search.missing > (block - 1u) * uint(GLSORT_RUNS)) {
            int run = glsort_soonest_run(search, block);
            if (run == GLSORT_RUNS) break;
            glsort_take_one(search, run, block, group);
        }
    }
}

void glsort_kernel(glsort_Index instance) {
    uint rank = glsort_number_of(instance) * GLSORT_WINDOW;
    uint group = glsort_group_of(rank);
    rank -= glsort_group_begin(group);

    glsort_Search search;
    uint before = 0u;
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        uint size = glsort_run_length(group, i);
        search.begins[i] = glsort_run_begin(group, i);
        search.ends[i] = search.begins[i] + size;
        // If the runs are in order, the number of elements of the run that come before the window.
        search.taken[i] = min(rank - before, size);
        before += search.taken[i];
    }
    bool found = glsort_is_in_order(search.begins, search.ends);
    uint skipped[GLSORT_RUNS];
#if defined(GLSORT_LISTS)
    for (int i = 0; i < GLSORT_RUNS; ++i) skipped[i] = 0u;  // The shares of lists are unknown.
#else
    glsort_skip(rank, search.begins, search.ends, skipped);
#endif
    while (!found) {
        search.missing = rank;
        search.untouched = 0u;
        for (int i = 0; i < GLSORT_RUNS; ++i) {
            search.taken[i] = skipped[i];
            search.missing -= skipped[i];
            if (skipped[i] > 0u) search.untouched |= 1u << i;
        }
        glsort_take_missing(search, group);
        found = search.untouched == 0u;
        // Reset here: before the search, this would need more registers. Sorts would take 1% to 6% longer
        // (docs/experiments/merge.md).
        for (int i = 0; i < GLSORT_RUNS; ++i) skipped[i] = 0u;
    }
    for (int part = 0; part < int(GLSORT_SPLIT_TEXELS); ++part) {
        uvec4 words = uvec4(0u);
        for (int i = 0; i < 4; ++i)
            if (part * 4 + i < GLSORT_RUNS) words[i] = search.taken[part * 4 + i];
        glsort_splits_write(uint(part), words);
    }
}
