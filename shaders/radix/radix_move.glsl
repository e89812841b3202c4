// Moves the ranked elements of a tile (radix_rank.glsl). Neighbours go to neighbouring places.
//
// GLSORT_ANY_ORDER: elements with an equal digit may come in any order (radix_rank_any_order.glsl).
//
// Shared memory puts whole elements into the order of the sorted tile, in GLSORT_PARTS parts, one after the other. A
// part takes less memory than the tile, so more groups fit on a multiprocessor.
//
// GLSORT_BANK_ROW: an unused slot follows each row of 2^GLSORT_BANK_ROW slots. If neighbours have neighbouring digits,
// as in sorted input, their places are a fixed distance apart. Without unused slots, a distance of 32 words, or of a
// multiple of 32, would lead all neighbours to one bank of memory.
//
// expects parameters: bits, shift
// expects macros: GLSORT_DIGITS, GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_PARTS, GLSORT_ELEMENT_WORDS
// expects macros: GLSORT_TILE
// allows macros: GLSORT_ANY_ORDER, GLSORT_BANK_ROW

#if defined(GLSORT_ANY_ORDER)
#include "radix/radix_rank_any_order.glsl"
#else
#include "radix/radix_rank.glsl"
#endif

const uint GLSORT_PART = GLSORT_TILE / GLSORT_PARTS;

shared uint glsort_digit_shift[GLSORT_DIGITS];  // For each digit: from a place in the tile to the destination.

// A part is written in two rounds: `glsort_move_first` for all elements, then `glsort_move_rest` for all elements. The
// kernel defines both functions. If keys and values go to separate streams, the first round writes keys, and the second
// writes values. So each round writes longer contiguous pieces. Otherwise the second round does nothing.
void glsort_move_first(uint goal, glsort_Element record);
void glsort_move_rest(uint goal, glsort_Element record);

// The slot of a place in a part. The group size is a multiple of a row. So the slot of k * GLSORT_GROUP_SIZE + lane is
// the sum of the slots of both terms.
#if defined(GLSORT_BANK_ROW)
uint glsort_slot_of(uint place) { return place + (place >> GLSORT_BANK_ROW); }
#else
uint glsort_slot_of(uint place) { return place; }
#endif

#if GLSORT_ELEMENT_WORDS == 1
void glsort_put_record(uint slot, glsort_Element record) { glsort_memory[slot] = record; }
glsort_Element glsort_record_in(uint slot) { return glsort_memory[slot]; }
#else
void glsort_put_record(uint slot, glsort_Element record) {
    for (uint word = 0u; word < uint(GLSORT_ELEMENT_WORDS); ++word)
        glsort_memory[slot * uint(GLSORT_ELEMENT_WORDS) + word] = record[word];
}
glsort_Element glsort_record_in(uint slot) {
    glsort_Element record;
    for (uint word = 0u; word < uint(GLSORT_ELEMENT_WORDS); ++word)
        record[word] = glsort_memory[slot * uint(GLSORT_ELEMENT_WORDS) + word];
    return record;
}
#endif

// Stores the elements of a part in shared memory, which must be free.
void glsort_store_part(uint part, glsort_Element mine[GLSORT_ELEMENTS], glsort_Places places) {
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = glsort_place_of(places, k) - part * GLSORT_PART;
        if (GLSORT_PARTS == 1u || place < GLSORT_PART) glsort_put_record(glsort_slot_of(place), mine[k]);
    }
}

// Moves the elements to their destinations. Part 0 must be stored, and visible to all invocations. `size`: how many
// elements of the tile exist.
void glsort_move_elements(glsort_Element mine[GLSORT_ELEMENTS], glsort_Places places, uint size) {
    for (uint part = 0u; part < GLSORT_PARTS; ++part) {
        if (part > 0u) {
            barrier();
            glsort_store_part(part, mine, places);
            barrier();
        }
        glsort_Element records[GLSORT_ELEMENTS / GLSORT_PARTS];
        uint goals[GLSORT_ELEMENTS / GLSORT_PARTS];
        uint first_slot = glsort_slot_of(GLSORT_LANE);
        for (uint k = 0u; k < GLSORT_ELEMENTS / GLSORT_PARTS; ++k) {
            uint place = k * GLSORT_GROUP_SIZE + GLSORT_LANE;
            records[k] = glsort_record_in(glsort_slot_of(k * GLSORT_GROUP_SIZE) + first_slot);
            goals[k] = glsort_digit_shift[glsort_digit_of(records[k], glsort_op_shift, glsort_op_bits)] +
                       part * GLSORT_PART + place;
            if (part * GLSORT_PART + place < size) glsort_move_first(goals[k], records[k]);
        }
        for (uint k = 0u; k < GLSORT_ELEMENTS / GLSORT_PARTS; ++k)
            if (part * GLSORT_PART + k * GLSORT_GROUP_SIZE + GLSORT_LANE < size) glsort_move_rest(goals[k], records[k]);
    }
}
