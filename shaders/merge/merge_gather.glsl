// Moves the elements of a record to their places in the merged sequence. merge_order has found the run of each element.
//
// expects ports: source, sources, target
// expects macros: GLSORT_ELEMENTS, GLSORT_PARTS, GLSORT_RUNS, GLSORT_SIDE
// allows macros: GLSORT_SHARED_TEXEL

#include "lib/element.glsl"
#include "merge/merge_window.glsl"

void glsort_kernel(glsort_Index instance) {
    uint first = glsort_number_of(instance) * GLSORT_ELEMENTS;
    uint side = first / GLSORT_SIDE;
    bool down = (side & 1u) != 0u;
    uint bound[GLSORT_RUNS];
    glsort_side_at(side, bound);

    // The step at which the side reached the record: upwards its first element, downwards its last. Steps count from
    // where the side began to merge.
    uint step = first % GLSORT_SIDE;
    if (down) step = GLSORT_SIDE - GLSORT_ELEMENTS - step;
    uvec4 sources = glsort_sources_gather(side * GLSORT_PARTS + step / 16u);
    uvec2 taken = sources.zw;
    glsort_Element merged[GLSORT_ELEMENTS];
#if defined(GLSORT_SHARED_TEXEL)
    // The record may begin inside a texel.
    for (uint before = 0u; before < step % 16u; ++before) {
        uint run = glsort_run_at(sources, before);
        if (run != GLSORT_NO_RUN) taken = glsort_take(taken, run);
    }
#endif
    // First all places, then all loads: a GPU then issues the loads together. GLSORT_NONE: there is no element.
    uint elements[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        if (k > 0u && k % 16u == 0u) {
            sources = glsort_sources_gather(side * GLSORT_PARTS + (step + k) / 16u);
            taken = sources.zw;
        }
        uint place = k % 16u;
#if defined(GLSORT_SHARED_TEXEL)
        place += step % 16u;
#endif
        uint run = glsort_run_at(sources, place);
        uint begin = bound[0];
        for (int i = 1; i < GLSORT_RUNS; ++i)
            if (run == uint(i)) begin = bound[i];
        uint count = glsort_taken_of(taken, run);
        bool any = run != GLSORT_NO_RUN;
        elements[k] = any ? (down ? begin - 1u - count : begin + count) : GLSORT_NONE;
        taken = any ? glsort_take(taken, run) : taken;
    }
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        // No branch: a software rasteriser would execute both sides.
        bool any = elements[k] != GLSORT_NONE;
        glsort_Element value = glsort_source_gather(any ? elements[k] : 0u);
        merged[k] = any ? value : GLSORT_MISSING;
    }
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        glsort_target_write(k, down ? merged[GLSORT_ELEMENTS - 1u - k] : merged[k]);
}
