// Sorts each tile by digits, and takes samples of the sorted tile: the first of two ops of a sort by splitters
// (splitter_bucket.glsl).
//
// expects ports: samples, source, target
// expects parameters: bits, shift
// expects macros: GLSORT_ELEMENTS, GLSORT_SAMPLED_TILE, GLSORT_SAMPLES
// ignores macros: GLSORT_TILE

#include "lib/layout.glsl"
#include "radix/radix_rounds.glsl"
#include "radix/splitter_samples.glsl"

void glsort_kernel(glsort_Index instance) {
    uint tile = glsort_number_of(instance);
    uint begin = tile * GLSORT_SAMPLED_TILE;
    uint size = glsort_size_of(tile);
    glsort_Element mine[GLSORT_ELEMENTS];
    // Loads outside of any branch are issued at once. Places behind the end load the last element.
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        mine[k] = glsort_source_gather(begin + min(glsort_element_of(k), size - 1u));
    if (size < GLSORT_SAMPLED_TILE)
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            if (glsort_element_of(k) >= size) mine[k] = GLSORT_MISSING;
    glsort_sort_by_digits(mine, glsort_op_shift, glsort_op_bits);
    uint phase = glsort_phase_of(tile);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = glsort_element_of(k);
        if (place >= size) continue;
        glsort_target_scatter(begin + place, mine[k]);
        if (place % GLSORT_SPACING == phase)
            glsort_samples_scatter(tile * GLSORT_SAMPLES + place / GLSORT_SPACING, glsort_compared(mine[k]));
    }
}
