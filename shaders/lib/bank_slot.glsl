// Where word i of shared memory lies, so that invocations reach all banks both when they go through neighbouring words
// and when these are a power of two apart: as tile_slot (shared_tile.glsl). It stays among the same 32 words.

uint glsort_bank_slot(uint i) { return i ^ (i >> 5u & 31u); }
