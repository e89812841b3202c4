// The records that a group of invocations shares: TILE of them, a power of two. Each word has an array of
// its own, so that invocations that reach neighbouring records reach neighbouring banks.

shared uint tile[uint(RECORD_WORDS) * TILE];

// Where a record lies. Invocations that each go through a stretch of records are a power of two apart,
// which would be one bank for many: the higher bits of the place change the lower ones. Any place is a
// record of the tile.
uint tile_slot(uint place) { return (place ^ (place >> 5u)) & (TILE - 1u); }

#if RECORD_WORDS == 1
Record tile_load(uint place) { return tile[tile_slot(place)]; }
void tile_store(uint place, Record record) { tile[tile_slot(place)] = record; }
#else
Record tile_load(uint place) {
    uint slot = tile_slot(place);
    Record record = MISSING;
    for (int word = 0; word < RECORD_WORDS; ++word) record[word] = tile[uint(word) * TILE + slot];
    return record;
}
void tile_store(uint place, Record record) {
    uint slot = tile_slot(place);
    for (int word = 0; word < RECORD_WORDS; ++word) tile[uint(word) * TILE + slot] = record[word];
}
#endif

// The key of a record.
#if KEY_WORDS == 1
Key tile_key(uint place) { return tile[tile_slot(place)]; }
#elif !defined(COMPARISON)
Key tile_key(uint place) {
    uint slot = tile_slot(place);
    return Key(tile[slot], tile[TILE + slot]);
}
#endif
