// The slot of word i in shared memory. Invocations reach all banks if their words are neighbours, or 2, 4, 8, 16 or 32
// words apart. Elements of a tile are spread in this way, too (glsort_tile_slot in shared_tile.glsl). A word and its
// slot lie in one aligned group of 32 words.

uint glsort_bank_slot(uint i) { return i ^ (i >> 5u & 31u); }
