// Sorts a tile by several digits, with its elements in registers: one round of ranks (radix_rank.glsl) a digit.

// The kernel need not know how many elements of a digit there are.
void counted(uint count) {}

// Element k of an invocation is number element_of(k) of the tile, before and after. Stable.
void sort_by_digits(inout Record mine[ELEMENTS], uint shift, uint bits) {
    for (uint done = 0u; done < bits; done += DIGIT_BITS) {
        for (uint i = LANE; i < SUBGROUPS * DIGITS; i += GROUP_SIZE) memory[i] = 0u;
        barrier();
        Places places;
        uint smaller;
        rank_elements(mine, shift + done, min(bits - done, DIGIT_BITS), places, smaller);
        STORE_PART(0u, FIRST_WORD)
        barrier();
        LOAD_PART(mine, element_of(k), FIRST_WORD)
        EXCHANGE_OTHERS(0u, mine, element_of(k))
        barrier();
    }
}
