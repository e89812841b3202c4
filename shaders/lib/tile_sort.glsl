// Sorts up to GLSORT_TILE elements in shared memory. Each invocation sorts GLSORT_ELEMENTS elements in registers by a
// sorting network (plan/networks/sorting_network.h). Then the group merges pairs of these runs (merge_path.glsl) until
// one is left.
//
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SORTING_NETWORK

#include "lib/compare.glsl"
#include "lib/shared_tile.glsl"
#include "merge/merge_path.glsl"

#define GLSORT_COMPARE(a, b) glsort_compare(run[a], run[b], true);

uint glsort_run_length = GLSORT_ELEMENTS;

uvec3 glsort_runs_at(uint place) {
    uint begin = place & ~(2u * glsort_run_length - 1u);
    return uvec3(begin, begin + glsort_run_length, begin + 2u * glsort_run_length);
}

// The kernel defines what is sorted: element `number`.
glsort_Element glsort_unsorted(uint number);

// The place in the sorted tile of the element that glsort_sort_tile returns as `sorted[k]`.
uint glsort_sorted_place(uint k) { return k * GLSORT_GROUP_SIZE + GLSORT_LANE; }

// All invocations of the group must call this function. Places from `size` on get missing elements, which come after all others.
void glsort_sort_tile(uint size, out glsort_Element sorted[GLSORT_ELEMENTS]) {
    // Neighbouring invocations read neighbouring elements. Any elements may form a run. Only the first `busy`
    // invocations get elements, so that fewer elements need fewer merges.
    uint busy = (size + GLSORT_ELEMENTS - 1u) / GLSORT_ELEMENTS;
    glsort_Element run[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint number = k * busy + GLSORT_LANE;
        run[k] = GLSORT_LANE < busy && number < size ? glsort_unsorted(number) : GLSORT_MISSING;
    }
    GLSORT_SORTING_NETWORK
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) glsort_tile_store(GLSORT_LANE * GLSORT_ELEMENTS + k, run[k]);
    barrier();
    for (glsort_run_length = GLSORT_ELEMENTS; glsort_run_length < size; glsort_run_length *= 2u)
        glsort_merge_neighbours();
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) sorted[k] = glsort_tile_load(glsort_sorted_place(k));
}
