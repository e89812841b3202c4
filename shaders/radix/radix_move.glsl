// Moves the elements of a tile that are ranked (radix_rank.glsl): neighbours go to neighbouring places.
//
// They go through the memory in PARTS, by their places in the tile, whole records at once: less memory, and so more
// groups to a multiprocessor.

const uint PART = TILE / PARTS;

shared uint digit_shift[DIGITS];  // from a digit's place in the tile to where it goes

// A part is written in two rounds: `move_first` for all its elements, then `move_rest` for all, which are the kernel's.
// Where keys and values go to streams of their own, the first is of keys and the second of values, each in longer pieces
// so; else the second does nothing.
void move_first(uint goal, Record record);
void move_rest(uint goal, Record record);

#if RECORD_WORDS == 1
void put_record(uint slot, Record record) { memory[slot] = record; }
Record record_in(uint slot) { return memory[slot]; }
#else
void put_record(uint slot, Record record) {
    for (uint word = 0u; word < uint(RECORD_WORDS); ++word) memory[slot * uint(RECORD_WORDS) + word] = record[word];
}
Record record_in(uint slot) {
    Record record;
    for (uint word = 0u; word < uint(RECORD_WORDS); ++word) record[word] = memory[slot * uint(RECORD_WORDS) + word];
    return record;
}
#endif

// Stores the elements of a part; the memory is free for it.
void store_part(uint part, Record mine[ELEMENTS], Places places) {
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint slot = place_of(places, k) - part * PART;
        if (PARTS == 1u || slot < PART) put_record(slot, mine[k]);
    }
}

// Part 0 is stored, and there for all to load. `size`: elements of the tile that are there.
void move_elements(Record mine[ELEMENTS], Places places, uint size) {
    for (uint part = 0u; part < PARTS; ++part) {
        if (part > 0u) {
            barrier();
            store_part(part, mine, places);
            barrier();
        }
        Record records[ELEMENTS / PARTS];
        uint goals[ELEMENTS / PARTS];
        for (uint k = 0u; k < ELEMENTS / PARTS; ++k) {
            uint slot = k * GROUP_SIZE + LANE;
            records[k] = record_in(slot);
            goals[k] = digit_shift[digit_of(records[k], op_shift, op_bits)] + part * PART + slot;
            if (part * PART + slot < size) move_first(goals[k], records[k]);
        }
        for (uint k = 0u; k < ELEMENTS / PARTS; ++k)
            if (part * PART + k * GROUP_SIZE + LANE < size) move_rest(goals[k], records[k]);
    }
}
