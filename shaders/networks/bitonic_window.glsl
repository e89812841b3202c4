// Steps of a bitonic network on a tile of records (shared_tile.glsl) that a group has gathered: each compares the
// records whose places in the tile differ in one bit. An invocation takes the ELEMENTS records whose places
// differ in a window of WINDOW_BITS neighbouring bits, and makes the steps on these bits in registers; between two
// windows the records go through shared memory.

// Whether the block of `block` elements that an element is in descends (src/glsort/plan/networks/bitonic.cpp).
bool descends(uint element, uint block) { return ((element ^ (op_count - 1u)) & block) != 0u; }

// Of the records that an invocation takes in the window from bit `window` up: the place of the first; record k lies
// at k << window beyond.
uint first_place(uint window) {
    uint below = LANE & ((1u << window) - 1u);
    return ((LANE ^ below) << WINDOW_BITS) | below;
}

// The slot of record 0. Slots are linear: of places that have no bit in common, the exclusive or. So records that are
// to descend are taken in the opposite order, and every comparator ascends.
uint first_slot(uint window, bool descending) {
    return tile_slot(first_place(window)) ^ (descending ? tile_slot((ELEMENTS - 1u) << window) : 0u);
}

#define C(a, b) compare(run[a], run[b], true);
#define STEP(bit) if (window + bit < end && window + bit >= least)

// Makes the steps on those bits of a window that are less than `end`, down to `least`. The block of the stage is larger
// than the window.
void make_steps(uint window, uint end, uint least, bool descending) {
    uint slot = first_slot(window, descending);
    Record run[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) run[k] = slot_load(slot ^ tile_slot(k << window));
    WINDOW_STEPS
    for (uint k = 0u; k < ELEMENTS; ++k) slot_store(slot ^ tile_slot(k << window), run[k]);
    barrier();
}

// The window of the steps from bit end - 1 down: as many as it has room for, but not past bit 0.
uint window_below(uint end) { return max(end, WINDOW_BITS) - WINDOW_BITS; }
