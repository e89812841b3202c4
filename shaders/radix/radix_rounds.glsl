// Sorts a tile by several digits, with its elements in registers. Each digit takes one round of ranks
// (radix_rank.glsl).
//
// expects macros: GLSORT_DIGIT_BITS, GLSORT_ELEMENTS, GLSORT_ELEMENT_WORDS, GLSORT_GROUP_SIZE
// allows macros: GLSORT_WHOLE_RECORDS
// ignores macros: GLSORT_PARTS

#include "radix/radix_rank.glsl"

// No kernel that sorts by several digits needs the number of elements of a digit.
void glsort_counted(uint count) {}

// Elements go through shared memory by their places in the tile. GLSORT_WHOLE_RECORDS: there is room for all words of
// all elements. Otherwise there is room for one word of each element, and the words go one after the other.
#if GLSORT_ELEMENT_WORDS == 1
#define GLSORT_FIRST_WORD(record) record
#else
#define GLSORT_FIRST_WORD(record) (record).x
#endif
#define GLSORT_SECOND_WORD(record) (record).y
#define GLSORT_THIRD_WORD(record) (record).z
#define GLSORT_GIVE(GLSORT_WORD, room)          \
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) \
        if (k < glsort_held) glsort_memory[(room) + glsort_place_of(places, k)] = GLSORT_WORD(mine[k]);
#define GLSORT_TAKE(GLSORT_WORD, room)          \
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) \
        if (k < glsort_held) GLSORT_WORD(mine[k]) = glsort_memory[(room) + glsort_element_of(k)];

#if defined(GLSORT_WHOLE_RECORDS)
const uint GLSORT_ROOM = GLSORT_GROUP_SIZE * GLSORT_ELEMENTS;

void glsort_exchange(inout glsort_Element mine[GLSORT_ELEMENTS], glsort_Places places) {
    GLSORT_GIVE(GLSORT_FIRST_WORD, 0u)
#if GLSORT_ELEMENT_WORDS > 1
    GLSORT_GIVE(GLSORT_SECOND_WORD, GLSORT_ROOM)
#endif
#if GLSORT_ELEMENT_WORDS > 2
    GLSORT_GIVE(GLSORT_THIRD_WORD, 2u * GLSORT_ROOM)
#endif
    barrier();
    GLSORT_TAKE(GLSORT_FIRST_WORD, 0u)
#if GLSORT_ELEMENT_WORDS > 1
    GLSORT_TAKE(GLSORT_SECOND_WORD, GLSORT_ROOM)
#endif
#if GLSORT_ELEMENT_WORDS > 2
    GLSORT_TAKE(GLSORT_THIRD_WORD, 2u * GLSORT_ROOM)
#endif
    barrier();
}
#else
#define GLSORT_EXCHANGE(GLSORT_WORD) \
    GLSORT_GIVE(GLSORT_WORD, 0u)     \
    barrier();                       \
    GLSORT_TAKE(GLSORT_WORD, 0u)     \
    barrier();

void glsort_exchange(inout glsort_Element mine[GLSORT_ELEMENTS], glsort_Places places) {
    GLSORT_EXCHANGE(GLSORT_FIRST_WORD)
#if GLSORT_ELEMENT_WORDS > 1
    GLSORT_EXCHANGE(GLSORT_SECOND_WORD)
#endif
#if GLSORT_ELEMENT_WORDS > 2
    GLSORT_EXCHANGE(GLSORT_THIRD_WORD)
#endif
}
#endif

// Element k of an invocation is element glsort_element_of(k) of the tile, before and after the sort. Stable.
void glsort_sort_by_digits(inout glsort_Element mine[GLSORT_ELEMENTS], uint shift, uint bits) {
    for (uint done = 0u; done < bits; done += GLSORT_DIGIT_BITS) {
        glsort_clear_counts();
        barrier();
        glsort_Places places;
        uint smaller;
        glsort_rank_elements(mine, shift + done, min(bits - done, GLSORT_DIGIT_BITS), places, smaller);
        glsort_exchange(mine, places);
    }
}
