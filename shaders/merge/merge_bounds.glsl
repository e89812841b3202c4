// The bounds of windows in the runs of a group (merge_group.glsl).
//
// expects ports: splits
// expects macros: GLSORT_RUNS, GLSORT_SPLIT_TEXELS, GLSORT_WINDOW

#include "lib/layout.glsl"
#include "merge/merge_group.glsl"

// For each run, the first element that does not come before `place`. A window of the group begins or ends at `place`.
// `splits` has the bounds between two windows of a group. At the start and the end of a group, the bounds are the
// starts and the ends of its runs.
void glsort_bounds_at(uint place, uint group, out uint bound[GLSORT_RUNS]) {
    bool opens = place == glsort_group_begin(group);
    bool closes = glsort_closes_at(place, group);
    uvec4 splits4 = uvec4(0u);
    for (int i = 0; i < GLSORT_RUNS; ++i) {
        if (i % 4 == 0 && !opens && !closes)
            splits4 = glsort_splits_gather(place / GLSORT_WINDOW * GLSORT_SPLIT_TEXELS + uint(i / 4));
        bound[i] = glsort_run_begin(group, i) + (closes ? glsort_run_length(group, i) : splits4[i % 4]);
    }
}

// The bound for one of the runs.
uint glsort_bound_at(uint place, uint group, int run) {
    bool opens = place == glsort_group_begin(group);
    bool closes = glsort_closes_at(place, group);
    uint split = opens || closes ? 0u : place / GLSORT_WINDOW * GLSORT_SPLIT_TEXELS + uint(run) / 4u;
    uint before = glsort_channel_of(glsort_splits_gather(split), uint(run) % 4u);
    return glsort_run_begin(group, run) + (closes ? glsort_run_length(group, run) : opens ? 0u : before);
}
