// Merges the GLSORT_RUNS runs of a group window by window, each window by a group of invocations in shared memory. A
// window is a tile. merge_split has found the part of each run in a window. These parts are loaded one after the other.
// Then pairs of parts are merged until one is left.
//
// expects ports: source, target
// expects parameters: count
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_RUNS, GLSORT_TILE, GLSORT_WINDOW

#include "merge/merge_path.glsl"
#include "merge/merge_bounds.glsl"

uint glsort_parts[GLSORT_RUNS + 1];  // start of each run's part in the tile

// Loads the parts of the window that begins at `begin`.
void glsort_load_parts(uint begin) {
    uint group = glsort_group_of(begin);
    uint from[GLSORT_RUNS];
    uint to[GLSORT_RUNS];
    glsort_bounds_at(begin, group, from);
    glsort_bounds_at(begin + GLSORT_WINDOW, group, to);
    glsort_parts[0] = 0u;
    // If the caller's comparison is no order, a part may end before its start. Such a part is empty, and later parts
    // are cut off where the window ends.
    uint size = min(glsort_op_count - begin, GLSORT_WINDOW);
    for (int i = 0; i < GLSORT_RUNS; ++i)
        glsort_parts[i + 1] = min(glsort_parts[i] + max(to[i], from[i]) - from[i], size);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        uint element = from[0] + place;
        for (int i = 1; i < GLSORT_RUNS; ++i)
            if (place >= glsort_parts[i]) element = from[i] + place - glsort_parts[i];
        glsort_tile_store(place, begin + place < glsort_op_count ? glsort_source_gather(element) : GLSORT_MISSING);
    }
    // The last window may lack elements. The missing elements count as the end of the window's last part.
    glsort_parts[GLSORT_RUNS] = GLSORT_TILE;
}

uvec3 glsort_runs_at(uint place) {
    uvec3 runs = uvec3(glsort_parts[0], glsort_parts[1], glsort_parts[2]);
    for (int i = 2; i < GLSORT_RUNS; i += 2)
        if (place >= glsort_parts[i]) runs = uvec3(glsort_parts[i], glsort_parts[i + 1], glsort_parts[i + 2]);
    return runs;
}

// Pairs of parts have become one part each.
void glsort_halve_parts() {
    for (int i = 1; i <= GLSORT_RUNS / 2; ++i) glsort_parts[i] = glsort_parts[2 * i];
    for (int i = GLSORT_RUNS / 2 + 1; i <= GLSORT_RUNS; ++i) glsort_parts[i] = GLSORT_TILE;
}

void glsort_kernel(glsort_Index instance) {
    uint begin = glsort_number_of(instance) * GLSORT_WINDOW;
    glsort_load_parts(begin);
    barrier();
    for (int left = GLSORT_RUNS; left > 1; left /= 2) {
        glsort_merge_neighbours();
        glsort_halve_parts();
    }
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
        if (begin + place < glsort_op_count) glsort_target_scatter(begin + place, glsort_tile_load(place));
    }
}
