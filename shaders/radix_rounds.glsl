// Sorts a tile by several digits, with its elements in registers: one round of ranks (radix_rank.glsl) a digit.

// The kernel need not know how many elements of a digit there are.
void counted(uint count) {}

// The words of the records go through the memory one after the other: it has one for each place of the tile.
#define EXCHANGE(WORD)                                                       \
    for (uint k = 0u; k < ELEMENTS; ++k)                                     \
        if (k < held) memory[place_of(places, k)] = mine[k] WORD;            \
    barrier();                                                               \
    for (uint k = 0u; k < ELEMENTS; ++k)                                     \
        if (k < held) mine[k] WORD = memory[element_of(k)];                  \
    barrier();

// Element k of an invocation is number element_of(k) of the tile, before and after. Stable.
void sort_by_digits(inout Record mine[ELEMENTS], uint shift, uint bits) {
    for (uint done = 0u; done < bits; done += DIGIT_BITS) {
        for (uint i = LANE; i < SUBGROUPS * DIGITS; i += GROUP_SIZE) memory[i] = 0u;
        barrier();
        Places places;
        uint smaller;
        rank_elements(mine, shift + done, min(bits - done, DIGIT_BITS), places, smaller);
#if RECORD_WORDS == 1
        EXCHANGE()
#else
        EXCHANGE(.x)
        EXCHANGE(.y)
#endif
#if RECORD_WORDS == 3
        EXCHANGE(.z)
#endif
    }
}
