// Windows of a merged sequence: GLSORT_WINDOW elements each, taken from the runs of a group (merge_bounds.glsl). A
// window has two sides. One side is merged upwards from the window's start, the other downwards from its end. Each 16
// steps of a side have a texel of `sources`, in the order in which the side merges. The first 64 bits give the run of
// each element, 4 bits each, or GLSORT_NO_RUN. The other 64 bits have 8 bits for each run: the number of elements that
// the side took before the 16 steps.
//
// expects macros: GLSORT_RUNS, GLSORT_WINDOW

#include "merge/merge_bounds.glsl"

const uint GLSORT_NO_RUN = 8u;
const uint GLSORT_NO_RUNS = 0x88888888u;

// The elements with which a side begins to merge. Upwards: for each run, its first element in the window. Downwards:
// one past its last element in the window.
void glsort_side_at(uint side, out uint bound[GLSORT_RUNS]) {
    uint first = (side >> 1u) * GLSORT_WINDOW;
    glsort_bounds_at(first + (side & 1u) * GLSORT_WINDOW, glsort_group_of(first), bound);
}

// Appends a run to the runs of 16 places, and drops the first.
uvec2 glsort_push_run(uvec2 runs, uint run) {
    return uvec2(runs.x >> 4u | runs.y << 28u, runs.y >> 4u | run << 28u);
}

uint glsort_run_at(uvec4 sources, uint place) {
    return (place < 8u ? sources.x : sources.y) >> ((place & 7u) * 4u) & 15u;
}

// The number of elements that a side has taken of run i; and `taken` with one more element of run i.
uint glsort_taken_of(uvec2 taken, uint i) { return (i < 4u ? taken.x : taken.y) >> ((i & 3u) * 8u) & 255u; }
uvec2 glsort_take(uvec2 taken, uint i) {
    uint one = 1u << ((i & 3u) * 8u);
    return i < 4u ? taken + uvec2(one, 0u) : taken + uvec2(0u, one);
}
