// Sorts a tile by several digits, with its elements in registers: one round of ranks (radix_rank.glsl) a digit.

// The kernel need not know how many elements of a digit there are.
void counted(uint count) {}

// The words of the records go through the memory one after the other: it has one for each place of the tile.
#if RECORD_WORDS == 1
#define FIRST_WORD(record) record
#else
#define FIRST_WORD(record) (record).x
#endif
#define SECOND_WORD(record) (record).y
#define THIRD_WORD(record) (record).z
#define EXCHANGE(WORD)                                                       \
    for (uint k = 0u; k < ELEMENTS; ++k)                                     \
        if (k < held) memory[place_of(places, k)] = WORD(mine[k]);           \
    barrier();                                                               \
    for (uint k = 0u; k < ELEMENTS; ++k)                                     \
        if (k < held) WORD(mine[k]) = memory[element_of(k)];                 \
    barrier();

// Element k of an invocation is number element_of(k) of the tile, before and after. Stable.
void sort_by_digits(inout Record mine[ELEMENTS], uint shift, uint bits) {
    for (uint done = 0u; done < bits; done += DIGIT_BITS) {
        for (uint i = LANE; i < SUBGROUPS * DIGITS; i += GROUP_SIZE) memory[i] = 0u;
        barrier();
        Places places;
        uint smaller;
        rank_elements(mine, shift + done, min(bits - done, DIGIT_BITS), places, smaller);
        EXCHANGE(FIRST_WORD)
#if RECORD_WORDS > 1
        EXCHANGE(SECOND_WORD)
#endif
#if RECORD_WORDS > 2
        EXCHANGE(THIRD_WORD)
#endif
    }
}
