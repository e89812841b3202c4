// The GLSORT_TILE elements that a group of invocations shares. First come the first words of all elements, then all
// second words, and so on. Invocations that access neighbouring elements therefore access different banks.
//
// expects macros: GLSORT_KEY_WORDS, GLSORT_ELEMENT_WORDS, GLSORT_TILE
// allows macros: GLSORT_COMPARISON, GLSORT_WINDOWS

#include "lib/element.glsl"

shared uint glsort_tile[uint(GLSORT_ELEMENT_WORDS) * GLSORT_TILE];

// The slot of an element. Often each invocation goes through a chunk of elements, and chunks begin a power of two
// apart. Many invocations would then access one bank, so the higher bits of the place change the lower bits. All slots
// lie in the tile if GLSORT_TILE is a power of two.
//
// GLSORT_WINDOWS: the number of an invocation gives all bits of a place except a window of up to four bits
// (bitonic_window.glsl). With a window of four bits, 32 neighbouring invocations differ in five of the bits 0 to 8.
// Wherever the window lies, these five bits lead the invocations to 32 different banks. With a smaller window, some of
// these invocations may share a bank.
#if defined(GLSORT_WINDOWS)
uint glsort_tile_slot(uint place) {
    uint high = place >> 5u;
    return place ^ (((high << 1u) ^ (high >> 3u)) & 31u);
}
#else
uint glsort_tile_slot(uint place) { return (place ^ (place >> 5u)) & (GLSORT_TILE - 1u); }
#endif

#if GLSORT_ELEMENT_WORDS == 1
glsort_Element glsort_slot_load(uint slot) { return glsort_tile[slot]; }
void glsort_slot_store(uint slot, glsort_Element record) { glsort_tile[slot] = record; }
#else
glsort_Element glsort_slot_load(uint slot) {
    glsort_Element record = GLSORT_MISSING;
    for (int word = 0; word < GLSORT_ELEMENT_WORDS; ++word) record[word] = glsort_tile[uint(word) * GLSORT_TILE + slot];
    return record;
}
void glsort_slot_store(uint slot, glsort_Element record) {
    for (int word = 0; word < GLSORT_ELEMENT_WORDS; ++word) glsort_tile[uint(word) * GLSORT_TILE + slot] = record[word];
}
#endif
glsort_Element glsort_tile_load(uint place) { return glsort_slot_load(glsort_tile_slot(place)); }
void glsort_tile_store(uint place, glsort_Element record) { glsort_slot_store(glsort_tile_slot(place), record); }

// The code of an element, without loads of other words.
#if GLSORT_KEY_WORDS == 1
glsort_Key glsort_tile_key(uint place) { return glsort_tile[glsort_tile_slot(place)]; }
#elif !defined(GLSORT_COMPARISON)
glsort_Key glsort_tile_key(uint place) {
    uint slot = glsort_tile_slot(place);
    return glsort_Key(glsort_tile[slot], glsort_tile[GLSORT_TILE + slot]);
}
#endif
