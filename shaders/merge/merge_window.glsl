// Windows of a merged sequence: GLSORT_WINDOW elements each, taken from the runs of a group (merge_bounds.glsl).
// Half of a window is merged upwards from where it begins, half downwards from where it ends: a side. 16
// places of a side have a texel of `sources`: the run that each element comes from, 4 bits each, or GLSORT_NO_RUN;
// then for each run, 8 bits each, how many elements of it the side has taken before these 16.
//
// expects macros: GLSORT_RUNS, GLSORT_WINDOW

#include "merge/merge_bounds.glsl"

const uint GLSORT_NO_RUN = 8u;
const uint GLSORT_NO_RUNS = 0x88888888u;

// From where a side merges: the first element of each run that the window takes, or the one behind the
// last.
void glsort_side_at(uint side, out uint bound[GLSORT_RUNS]) {
    uint first = (side >> 1u) * GLSORT_WINDOW;
    glsort_bounds_at(first + (side & 1u) * GLSORT_WINDOW, glsort_group_of(first), bound);
}

// The runs of 16 places, with one more at their end and without their first.
uvec2 glsort_push_run(uvec2 runs, uint run) {
    return uvec2(runs.x >> 4u | runs.y << 28u, runs.y >> 4u | run << 28u);
}

uint glsort_run_at(uvec4 sources, uint place) {
    return (place < 8u ? sources.x : sources.y) >> ((place & 7u) * 4u) & 15u;
}

// The elements that a side has taken of run i; and one more.
uint glsort_taken_of(uvec2 taken, uint i) { return (i < 4u ? taken.x : taken.y) >> ((i & 3u) * 8u) & 255u; }
uvec2 glsort_take(uvec2 taken, uint i) {
    uint one = 1u << ((i & 3u) * 8u);
    return i < 4u ? taken + uvec2(one, 0u) : taken + uvec2(0u, one);
}
