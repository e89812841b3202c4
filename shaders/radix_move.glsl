// Moves the elements of a tile that are ranked (radix_rank.glsl) and whose first words are stored: neighbours go to
// neighbouring places.

shared uint digit_shift[DIGITS];  // from a digit's place in the tile to where it goes

// The kernel does it.
void move_element(uint goal, Record record);

// `size`: elements of the tile that are there.
void move_elements(Record mine[ELEMENTS], Places places, uint size) {
    for (uint part = 0u; part < PARTS; ++part) {
        Record sorted[PART_ELEMENTS];
        if (part == 0u) {
            LOAD_PART(sorted, k * GROUP_SIZE + LANE, FIRST_WORD)
        } else {
            EXCHANGE_PART(part, sorted, k * GROUP_SIZE + LANE, FIRST_WORD)
        }
        EXCHANGE_OTHERS(part, sorted, k * GROUP_SIZE + LANE)
        for (uint k = 0u; k < PART_ELEMENTS; ++k) {
            uint place = part * PART + k * GROUP_SIZE + LANE;
            uint goal = digit_shift[digit_of(sorted[k], op_shift, op_bits)] + place;
            if (place < size) move_element(goal, sorted[k]);
        }
    }
}
