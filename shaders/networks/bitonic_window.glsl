// Steps of a bitonic network on a tile of elements (shared_tile.glsl) that a group has gathered. Each step compares
// elements whose places in the tile differ in one bit. An invocation takes the GLSORT_ELEMENTS elements whose places
// differ only in a window of GLSORT_WINDOW_BITS neighbouring bits. The invocation performs the steps on these bits in
// registers. Between two windows the elements go through shared memory.
//
// expects parameters: count
// expects macros: GLSORT_ELEMENTS, GLSORT_LANE, GLSORT_WINDOW_BITS, GLSORT_WINDOW_STEPS

#include "lib/compare.glsl"
#include "lib/shared_tile.glsl"

// Whether the block of `block` elements that contains an element descends (src/glsort/plan/networks/bitonic.cpp).
bool glsort_descends(uint element, uint block) { return ((element ^ (glsort_op_count - 1u)) & block) != 0u; }

// The place of the first element that an invocation takes in the window from bit `window` up. Element k lies k <<
// window places further.
uint glsort_first_place(uint window) {
    uint below = GLSORT_LANE & ((1u << window) - 1u);
    return ((GLSORT_LANE ^ below) << GLSORT_WINDOW_BITS) | below;
}

// The slot of element 0. A slot depends on its place only by shifts, masks and exclusive ors. So the slots of two
// places without a common bit combine by exclusive or. To descend, elements are taken in reverse order, so that every
// comparator ascends.
uint glsort_first_slot(uint window, bool descending) {
    return glsort_tile_slot(glsort_first_place(window)) ^
           (descending ? glsort_tile_slot((GLSORT_ELEMENTS - 1u) << window) : 0u);
}

#define GLSORT_COMPARE(a, b) glsort_compare(run[a], run[b], true);
#define GLSORT_STEP(bit) if (window + bit < end && window + bit >= lowest)

// Performs the steps on the bits of a window from `end` - 1 down to `lowest`. The block of the stage is larger than the
// window.
void glsort_make_steps(uint window, uint end, uint lowest, bool descending) {
    uint slot = glsort_first_slot(window, descending);
    glsort_Element run[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) run[k] = glsort_slot_load(slot ^ glsort_tile_slot(k << window));
    GLSORT_WINDOW_STEPS
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) glsort_slot_store(slot ^ glsort_tile_slot(k << window), run[k]);
    barrier();
}

// The lowest bit of the window for the steps from bit end - 1 down. The window ends below `end`, or begins at bit 0.
uint glsort_window_below(uint end) { return max(end, GLSORT_WINDOW_BITS) - GLSORT_WINDOW_BITS; }
