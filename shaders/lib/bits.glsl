// Counts and finds set bits. The built-in functions for this purpose need OpenGL 4.0 or OpenGL ES 3.1.

uvec4 glsort_bit_counts(uvec4 words) {
    words -= words >> 1u & 0x55555555u;
    words = (words & 0x33333333u) + (words >> 2u & 0x33333333u);
    words = words + (words >> 4u) & 0x0f0f0f0fu;
    return words * 0x01010101u >> 24u;
}

uint glsort_bit_count(uint word) { return glsort_bit_counts(uvec4(word)).x; }

// The place of set bit number `n` of a word. Places and numbers count from 0, at the lowest bit. The word must have
// more than `n` set bits.
uint glsort_place_of_bit(uint word, uint n) {
    // Each field of `pairs`, `nibbles`, ... counts the set bits at its own place.
    uint pairs = word - (word >> 1u & 0x55555555u);
    uint nibbles = (pairs & 0x33333333u) + (pairs >> 2u & 0x33333333u);
    uint bytes = nibbles + (nibbles >> 4u) & 0x0f0f0f0fu;
    uint halves = bytes + (bytes >> 8u) & 0x00ff00ffu;
    uint place = 0u;
    uint count = halves & 0xffffu;
    if (n >= count) { n -= count; place = 16u; }
    count = bytes >> place & 0xffu;
    if (n >= count) { n -= count; place += 8u; }
    count = nibbles >> place & 0xfu;
    if (n >= count) { n -= count; place += 4u; }
    count = pairs >> place & 3u;
    if (n >= count) { n -= count; place += 2u; }
    count = word >> place & 1u;
    return n >= count ? place + 1u : place;
}
