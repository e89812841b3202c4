// Merges neighbouring runs of a tile (shared_tile.glsl), two and two, by the merge path (Odeh et al. 2012):
// every invocation finds where its GLSORT_ELEMENTS places of the merged sequences begin in the two runs that they
// come from, by a binary search, and merges from there one record after the other.
//
// GLSORT_ANY_LENGTH: the runs are of any length, none included, so that these places may reach into several merged
// sequences. Else a merged sequence begins and ends with the places of an invocation.
//
// expects macros: GLSORT_ELEMENTS, GLSORT_LANE
// allows macros: GLSORT_ANY_LENGTH, GLSORT_BY_KEY, GLSORT_COMPARISON

#include "lib/shared_tile.glsl"

// GLSORT_BY_KEY: the runs hold elements in the order of the input, so that keys alone decide: of equal ones, that of
// the first run comes first. Else whole records do.

#if defined(GLSORT_BY_KEY) && !defined(GLSORT_COMPARISON)
bool glsort_second_first_at(uint second, uint first) {
    return glsort_key_precedes(glsort_tile_key(second), glsort_tile_key(first));
}
bool glsort_second_first(glsort_Record second, glsort_Record first) {
    return glsort_key_precedes(glsort_key_of(second), glsort_key_of(first));
}
#else
bool glsort_second_first_at(uint second, uint first) {
    return glsort_precedes(glsort_tile_load(second), glsort_tile_load(first));
}
bool glsort_second_first(glsort_Record second, glsort_Record first) { return glsort_precedes(second, first); }
#endif

// The kernel says which runs become the sequence that has `place`: where the first begins, where the second
// begins, and where that ends.
uvec3 glsort_runs_at(uint place);

// How many of the first `count` records of the merged sequence come from the first run.
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

// Of all invocations of the group; the tile is ready before and after.
void glsort_merge_neighbours() {
    uint place = GLSORT_LANE * GLSORT_ELEMENTS;
    uvec3 runs = glsort_runs_at(place);
    uint first = runs.x + glsort_merge_path(runs, place - runs.x);
    uint second = runs.y + place - first;
    glsort_Record a = glsort_tile_load(first);
    glsort_Record b = glsort_tile_load(second);
    glsort_Record merged[GLSORT_ELEMENTS];
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
        // What is loaded past the end of a run counts for nothing.
        bool from_second = second < runs.z && (first == runs.y || glsort_second_first(b, a));
        merged[k] = from_second ? b : a;
        uint next = (from_second ? second : first) + 1u;
        glsort_Record following = glsort_tile_load(next);
        if (from_second) {
            b = following;
            second = next;
        } else {
            a = following;
            first = next;
        }
    }
    barrier();  // All have loaded what others overwrite.
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) glsort_tile_store(place + k, merged[k]);
    barrier();
}
