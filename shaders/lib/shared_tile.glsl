// The records that a group of invocations shares: GLSORT_TILE of them, a power of two. Each word has an array of
// its own, so that invocations that reach neighbouring records reach neighbouring banks.
//
// expects macros: GLSORT_KEY_WORDS, GLSORT_RECORD_WORDS, GLSORT_TILE
// allows macros: GLSORT_COMPARISON, GLSORT_WINDOWS

#include "lib/record.glsl"

shared uint glsort_tile[uint(GLSORT_RECORD_WORDS) * GLSORT_TILE];

// Where a record lies. Invocations that each go through a stretch of records are a power of two apart,
// which would be one bank for many: the higher bits of the place change the lower ones. Any place is a
// record of the tile.
//
// GLSORT_WINDOWS: the numbers of neighbouring invocations become all bits of a place but a window of four, wherever
// that lies (bitonic_window.glsl). Whichever five of the bits 0 to 8 tell 32 of them apart, they reach 32 banks.
#if defined(GLSORT_WINDOWS)
uint glsort_tile_slot(uint place) {
    uint high = place >> 5u;
    return place ^ (((high << 1u) ^ (high >> 3u)) & 31u);
}
#else
uint glsort_tile_slot(uint place) { return (place ^ (place >> 5u)) & (GLSORT_TILE - 1u); }
#endif

#if GLSORT_RECORD_WORDS == 1
glsort_Record glsort_slot_load(uint slot) { return glsort_tile[slot]; }
void glsort_slot_store(uint slot, glsort_Record record) { glsort_tile[slot] = record; }
#else
glsort_Record glsort_slot_load(uint slot) {
    glsort_Record record = GLSORT_MISSING;
    for (int word = 0; word < GLSORT_RECORD_WORDS; ++word) record[word] = glsort_tile[uint(word) * GLSORT_TILE + slot];
    return record;
}
void glsort_slot_store(uint slot, glsort_Record record) {
    for (int word = 0; word < GLSORT_RECORD_WORDS; ++word) glsort_tile[uint(word) * GLSORT_TILE + slot] = record[word];
}
#endif
glsort_Record glsort_tile_load(uint place) { return glsort_slot_load(glsort_tile_slot(place)); }
void glsort_tile_store(uint place, glsort_Record record) { glsort_slot_store(glsort_tile_slot(place), record); }

// The key of a record.
#if GLSORT_KEY_WORDS == 1
glsort_Key glsort_tile_key(uint place) { return glsort_tile[glsort_tile_slot(place)]; }
#elif !defined(GLSORT_COMPARISON)
glsort_Key glsort_tile_key(uint place) {
    uint slot = glsort_tile_slot(place);
    return glsort_Key(glsort_tile[slot], glsort_tile[GLSORT_TILE + slot]);
}
#endif
