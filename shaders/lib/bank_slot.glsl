// The slot of word i in shared memory. Invocations reach all banks, both for neighbouring words and for words a power
// of two apart, as with glsort_tile_slot (shared_tile.glsl). A word and its slot lie in one aligned group of 32 words.

uint glsort_bank_slot(uint i) { return i ^ (i >> 5u & 31u); }
