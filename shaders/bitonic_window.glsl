// Steps of a bitonic network on a tile of records (shared_tile.glsl) that a group has gathered: each compares the
// records whose places in the tile differ in one bit. An invocation takes the ELEMENTS records whose places
// differ in a window of WINDOW_BITS neighbouring bits, and makes the steps on these bits in registers; between two
// windows the records go through shared memory.

// Whether the block of `block` elements that an element is in descends (src/glsort/plan/bitonic.h).
bool descends(uint element, uint block) { return ((element ^ (op_count - 1u)) & block) != 0u; }

// Of the records that an invocation takes in the window from bit `window` up: the place of the first; record k lies
// at k << window beyond.
uint first_place(uint window) {
    uint below = LANE & ((1u << window) - 1u);
    return ((LANE ^ below) << WINDOW_BITS) | below;
}

// Masks have a bit for each of these records.
uint all_if(bool condition) { return condition ? NONE : 0u; }

// Bit `bit` of their places.
uint place_bits(uint window, uint bit) {
    uint in_window = bit - window;
    if (in_window < WINDOW_BITS)
        return in_window == 0u   ? 0xaaaaaaaau
               : in_window == 1u ? 0xccccccccu
               : in_window == 2u ? 0xf0f0f0f0u
                                 : 0xff00ff00u;
    return all_if((first_place(window) >> bit & 1u) != 0u);
}

#define C(a, b) compare(run[a], run[b], (descending & (1u << uint(a))) == 0u);
#define STEP(bit) descending = window + bit < next_stage ? descending_next : descending_first; \
    if (window + bit < end)

// Makes the steps on bits end - 1 down to `window`: those below `next_stage` belong to the next stage of the
// network. The masks: which records are in blocks that descend, in the one stage and in the other.
void make_steps(uint window, uint end, uint next_stage, uint descending_first, uint descending_next) {
    // Slots are linear: of places that have no bit in common, the exclusive or.
    uint slot = tile_slot(first_place(window));
    uint descending = descending_first;
    Record run[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) run[k] = slot_load(slot ^ tile_slot(k << window));
    WINDOW_STEPS
    for (uint k = 0u; k < ELEMENTS; ++k) slot_store(slot ^ tile_slot(k << window), run[k]);
    barrier();
}

// The window of the steps from bit end - 1 down: as many as it has room for, but not past bit 0.
uint window_below(uint end) { return max(end, WINDOW_BITS) - WINDOW_BITS; }
