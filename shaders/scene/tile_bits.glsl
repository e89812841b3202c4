// The bits of a tile, 1 for each visible item. For each word of bits: how many items of the tile are visible before the
// word.
//
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SCENE_TILE

const uint GLSORT_BIT_WORDS = GLSORT_SCENE_TILE / 32u;

shared uint glsort_bits[GLSORT_BIT_WORDS];
shared uint glsort_before[GLSORT_BIT_WORDS];

// Fills glsort_before. Barriers must surround the call.
void glsort_count_before() {
    for (uint i = GLSORT_LANE; i < GLSORT_BIT_WORDS; i += GLSORT_GROUP_SIZE) {
        // A fixed number of words, so that no load waits for the one before.
        uint sum = 0u;
        for (uint word = 0u; word < GLSORT_BIT_WORDS; ++word)
            sum += word < i ? uint(bitCount(glsort_bits[word])) : 0u;
        glsort_before[i] = sum;
    }
}

bool glsort_is_visible(uint i) { return (glsort_bits[i / 32u] >> i % 32u & 1u) != 0u; }

// How many items of the tile are visible before item i.
uint glsort_rank_of(uint i) {
    return glsort_before[i / 32u] + uint(bitCount(glsort_bits[i / 32u] & (1u << i % 32u) - 1u));
}
