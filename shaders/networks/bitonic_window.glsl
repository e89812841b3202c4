// Steps of a bitonic network on a tile of records (shared_tile.glsl) that a group has gathered: each compares the
// records whose places in the tile differ in one bit. An invocation takes the GLSORT_ELEMENTS records whose places
// differ in a window of GLSORT_WINDOW_BITS neighbouring bits, and makes the steps on these bits in registers; between
// two windows the records go through shared memory.
//
// expects parameters: count
// expects macros: GLSORT_ELEMENTS, GLSORT_LANE, GLSORT_WINDOW_BITS, GLSORT_WINDOW_STEPS

#include "lib/compare.glsl"
#include "lib/shared_tile.glsl"

// Whether the block of `block` elements that an element is in descends (src/glsort/plan/networks/bitonic.cpp).
bool glsort_descends(uint element, uint block) { return ((element ^ (glsort_op_count - 1u)) & block) != 0u; }

// Of the records that an invocation takes in the window from bit `window` up: the place of the first; record k lies
// at k << window beyond.
uint glsort_first_place(uint window) {
    uint below = GLSORT_LANE & ((1u << window) - 1u);
    return ((GLSORT_LANE ^ below) << GLSORT_WINDOW_BITS) | below;
}

// The slot of record 0. Slots are linear: of places that have no bit in common, the exclusive or. So records that are
// to descend are taken in the opposite order, and every comparator ascends.
uint glsort_first_slot(uint window, bool descending) {
    return glsort_tile_slot(glsort_first_place(window)) ^
           (descending ? glsort_tile_slot((GLSORT_ELEMENTS - 1u) << window) : 0u);
}

#define GLSORT_COMPARE(a, b) glsort_compare(run[a], run[b], true);
#define GLSORT_STEP(bit) if (window + bit < end && window + bit >= least)

// Makes the steps on those bits of a window that are less than `end`, down to `least`. The block of the stage is larger
// than the window.
void glsort_make_steps(uint window, uint end, uint least, bool descending) {
    uint slot = glsort_first_slot(window, descending);
    glsort_Record run[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) run[k] = glsort_slot_load(slot ^ glsort_tile_slot(k << window));
    GLSORT_WINDOW_STEPS
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) glsort_slot_store(slot ^ glsort_tile_slot(k << window), run[k]);
    barrier();
}

// The window of the steps from bit end - 1 down: as many as it has room for, but not past bit 0.
uint glsort_window_below(uint end) { return max(end, GLSORT_WINDOW_BITS) - GLSORT_WINDOW_BITS; }
