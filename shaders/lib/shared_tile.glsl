// The records that a group of invocations shares: TILE of them, a power of two. Each word has an array of
// its own, so that invocations that reach neighbouring records reach neighbouring banks.

shared uint tile[uint(RECORD_WORDS) * TILE];

// Where a record lies. Invocations that each go through a stretch of records are a power of two apart,
// which would be one bank for many: the higher bits of the place change the lower ones. Any place is a
// record of the tile.
//
// WINDOWS: the numbers of neighbouring invocations become all bits of a place but a window of four, wherever that
// lies (bitonic_window.glsl). Whichever five of the bits 0 to 8 tell 32 of them apart, they reach 32 banks.
#if defined(WINDOWS)
uint tile_slot(uint place) {
    uint high = place >> 5u;
    return place ^ (((high << 1u) ^ (high >> 3u)) & 31u);
}
#else
uint tile_slot(uint place) { return (place ^ (place >> 5u)) & (TILE - 1u); }
#endif

#if RECORD_WORDS == 1
Record slot_load(uint slot) { return tile[slot]; }
void slot_store(uint slot, Record record) { tile[slot] = record; }
#else
Record slot_load(uint slot) {
    Record record = MISSING;
    for (int word = 0; word < RECORD_WORDS; ++word) record[word] = tile[uint(word) * TILE + slot];
    return record;
}
void slot_store(uint slot, Record record) {
    for (int word = 0; word < RECORD_WORDS; ++word) tile[uint(word) * TILE + slot] = record[word];
}
#endif
Record tile_load(uint place) { return slot_load(tile_slot(place)); }
void tile_store(uint place, Record record) { slot_store(tile_slot(place), record); }

// The key of a record.
#if KEY_WORDS == 1
Key tile_key(uint place) { return tile[tile_slot(place)]; }
#elif !defined(COMPARISON)
Key tile_key(uint place) {
    uint slot = tile_slot(place);
    return Key(tile[slot], tile[TILE + slot]);
}
#endif
