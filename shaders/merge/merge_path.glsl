// Merges pairs of neighbouring runs of a tile (shared_tile.glsl) by the merge path (Odeh et al. 2012). Each invocation
// has GLSORT_ELEMENTS places of the merged sequences. A binary search finds the start of these places in their two
// runs. From there the invocation merges element by element.
//
// GLSORT_ANY_LENGTH: runs may have any length, also zero. The places of one invocation may then belong to several
// merged sequences. Otherwise merged sequences begin and end between the places of two invocations.
//
// expects macros: GLSORT_ELEMENTS, GLSORT_LANE
// allows macros: GLSORT_ANY_LENGTH, GLSORT_BY_KEY, GLSORT_COMPARISON

#include "lib/shared_tile.glsl"

// GLSORT_BY_KEY: of equal keys, those of the first run come earlier in the input. Codes alone then decide, and ties go
// to the first run. Otherwise, and for a comparison of the caller, whole elements are compared.

#if defined(GLSORT_BY_KEY) && !defined(GLSORT_COMPARISON)
bool glsort_second_first_at(uint second, uint first) {
    return glsort_key_precedes(glsort_tile_key(second), glsort_tile_key(first));
}
bool glsort_second_first(glsort_Element second, glsort_Element first) {
    return glsort_key_precedes(glsort_key_of(second), glsort_key_of(first));
}
#else
bool glsort_second_first_at(uint second, uint first) {
    return glsort_precedes(glsort_tile_load(second), glsort_tile_load(first));
}
bool glsort_second_first(glsort_Element second, glsort_Element first) { return glsort_precedes(second, first); }
#endif

// The kernel defines which runs are merged to the sequence that has `place`. The result is the start of the first run,
// the start of the second run, and the end of the second run.
uvec3 glsort_runs_at(uint place);

// How many of the first `count` elements of the merged sequence come from the first run.
uint glsort_merge_path(uvec3 runs, uint count) {
    uint low = count - min(count, runs.z - runs.y);
    uint high = min(count, runs.y - runs.x);
    while (low < high) {
        uint middle = (low + high) / 2u;
        bool past = glsort_second_first_at(runs.y + count - 1u - middle, runs.x + middle);
        if (past) high = middle;
        else low = middle + 1u;
    }
    return low;
}

// All invocations of the group must call this function. Before and after the call, all elements of the tile are visible
// to all invocations.
void glsort_merge_neighbours() {
    uint place = GLSORT_LANE * GLSORT_ELEMENTS;
    uvec3 runs = glsort_runs_at(place);
    uint first = runs.x + glsort_merge_path(runs, place - runs.x);
    uint second = runs.y + place - first;
    glsort_Element a = glsort_tile_load(first);
    glsort_Element b = glsort_tile_load(second);
    glsort_Element merged[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
#if defined(GLSORT_ANY_LENGTH)
        if (place + k == runs.z) {
            runs = glsort_runs_at(place + k);
            first = runs.x;
            second = runs.y;
            a = glsort_tile_load(first);
            b = glsort_tile_load(second);
        }
#endif
        // Elements loaded past the end of a run are ignored.
        bool from_second = second < runs.z && (first == runs.y || glsort_second_first(b, a));
        merged[k] = from_second ? b : a;
        uint next = (from_second ? second : first) + 1u;
        glsort_Element following = glsort_tile_load(next);
        if (from_second) {
            b = following;
            second = next;
        } else {
            a = following;
            first = next;
        }
    }
    barrier();  // All elements are loaded before any is overwritten.
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) glsort_tile_store(place + k, merged[k]);
    barrier();
}
