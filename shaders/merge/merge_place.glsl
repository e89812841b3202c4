// Moves the element that belongs at a place of the merged sequence. Does what merge_gather does for records, for an op
// that writes elements one by one.
// GLSORT_FILLS: there are instances behind the count, too. They write GLSORT_MISSING.
//
// expects ports: source, sources, target
// allows parameters: count
// allows macros: GLSORT_FILLS
// expects macros: GLSORT_PARTS, GLSORT_SIDE, GLSORT_WINDOW
// ignores macros: GLSORT_ELEMENTS

#include "lib/element.glsl"
#include "merge/merge_window.glsl"

// How many of the places before `place` take their elements from `run`.
uint glsort_earlier(uvec2 runs, uint run, uint place) {
    uvec2 other = runs ^ (run * 0x11111111u);
    other |= other >> 2u;
    uvec2 same = ~(other | other >> 1u) & 0x11111111u;
    uint mask = (1u << ((place & 7u) * 4u)) - 1u;
    // The multiplication adds up the eight digits of 4 bits in the highest digit. The sum is at most 15.
    return ((place < 8u ? same.x & mask : same.x + (same.y & mask)) * 0x11111111u) >> 28u;
}

glsort_Element glsort_element_of_place(uint place) {
    uint side = place / GLSORT_SIDE;
    bool down = (side & 1u) != 0u;
    uint step = place % GLSORT_SIDE;
    if (down) step = GLSORT_SIDE - 1u - step;
    uvec4 sources = glsort_sources_gather(side * GLSORT_PARTS + step / 16u);
    uint run = glsort_run_at(sources, step % 16u);
    // No branches: a software rasteriser would execute both sides.
    bool any = run != GLSORT_NO_RUN;
    if (!any) run = 0u;
    uint count = glsort_taken_of(sources.zw, run) + glsort_earlier(sources.xy, run, step % 16u);
    uint first = (side >> 1u) * GLSORT_WINDOW;
    uint begin = glsort_bound_at(first + (down ? GLSORT_WINDOW : 0u), glsort_group_of(first), int(run));
    glsort_Element value = glsort_source_gather(any ? (down ? begin - 1u - count : begin + count) : 0u);
    return any ? value : GLSORT_MISSING;
}

void glsort_kernel(glsort_Index instance) {
    uint place = glsort_number_of(instance);
#if defined(GLSORT_FILLS)
    // Past the count, a GPU only writes. A branch is cheap here, because neighbours mostly take one side.
    glsort_Element value = GLSORT_MISSING;
    if (place < glsort_op_count) value = glsort_element_of_place(place);
    glsort_target_write(value);
#else
    glsort_target_write(glsort_element_of_place(place));
#endif
}
