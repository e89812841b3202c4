// Ranks the elements of a tile by a digit, by subgroup ballots. GLSORT_MEMORY words of shared memory first count the
// elements of each digit in each subgroup. Then the words hold the place of the next element of each digit and
// subgroup. Afterwards the words are free for the tile.
//
// GLSORT_ANY_BEFORE: the elements are sorted by all lower bits, and ties may come in any order (ties.glsl). Subgroups
// whose elements all tie need no ballots.
//
// expects macros: GLSORT_DIGITS, GLSORT_DIGIT_BITS, GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SUBGROUP
// allows macros: GLSORT_ANY_BEFORE, GLSORT_COUNTS_IN_HALVES, GLSORT_KEEPS_COUNTS, GLSORT_SUBGROUPS_KHR
// ignores macros: GLSORT_ROUND_BITS

#include "lib/subgroup.glsl"
#include "lib/group_scan.glsl"
#include "radix/radix_digit.glsl"
#include "radix/radix_memory.glsl"
#include "radix/tile_places.glsl"
#if defined(GLSORT_ANY_BEFORE)
#include "radix/ties.glsl"
#endif

#pragma optionNV(unroll all)

const uint GLSORT_SUBGROUPS = GLSORT_GROUP_SIZE / uint(GLSORT_SUBGROUP);

// A row of the memory has a word for each digit. The word counts elements of one subgroup. GLSORT_COUNTS_IN_HALVES: the
// halves of the word count elements of two subgroups. Twice as many subgroups then have room.
#if defined(GLSORT_COUNTS_IN_HALVES)
const uint GLSORT_ROWS = GLSORT_SUBGROUPS / 2u;
// The first word of this subgroup's row.
uint glsort_own_row() { return GLSORT_SUBGROUP_NUMBER / 2u * GLSORT_DIGITS; }
// The lowest bit of this subgroup's count in a word.
uint glsort_own_shift() { return GLSORT_SUBGROUP_NUMBER % 2u * 16u; }
// The count of this subgroup in a word.
uint glsort_own_count(uint word) { return word >> glsort_own_shift() & 0xffffu; }
// The sum of the counts in a word.
uint glsort_sum_of(uint word) { return (word & 0xffffu) + (word >> 16u); }
// A word that has, in place of each count, `before` plus the earlier counts of the word.
uint glsort_sums_before(uint before, uint word) { return before | before + (word & 0xffffu) << 16u; }
#else
const uint GLSORT_ROWS = GLSORT_SUBGROUPS;
uint glsort_own_row() { return GLSORT_SUBGROUP_NUMBER * GLSORT_DIGITS; }
uint glsort_own_shift() { return 0u; }
uint glsort_own_count(uint word) { return word; }
uint glsort_sum_of(uint word) { return word; }
uint glsort_sums_before(uint before, uint word) { return before; }
#endif

// The peers: the invocations of the subgroup with an equal digit.
glsort_Votes glsort_peers_of(uint digit) {
    glsort_Votes others = glsort_Votes(0u);
    for (uint bit = 0u; bit < GLSORT_DIGIT_BITS; ++bit) {
        bool mine = (digit & 1u << bit) != 0u;
        // A separate statement: inside the expression, the ballot is slower on NVIDIA's GPUs
        // (docs/experiments/radix.md).
        glsort_Votes votes = glsort_votes_for(mine);
        others |= votes ^ (mine ? GLSORT_EVERYONE : glsort_Votes(0u));
    }
    return GLSORT_EVERYONE & ~others;
}

// The place of the subgroup's next element of the digit. Advances this place by the number of peers. `number`: the
// number of peers up to this invocation. So the last peer knows the number of all peers without another bit count. On
// NVIDIA's GPUs a bit count takes four times as long as an addition.
uint glsort_next_place(uint slot, glsort_Votes peers, uint number) {
    uint last = glsort_last_vote(peers);
#if defined(GLSORT_SUBGROUPS_KHR)
    uint place = 0u;
    if (GLSORT_SUBGROUP_LANE == last) place = atomicAdd(glsort_memory[slot], number << glsort_own_shift());
    return glsort_own_count(subgroupShuffle(place, last));
#else
    uint place = glsort_memory[slot];
    if (GLSORT_SUBGROUP_LANE == last) glsort_memory[slot] = place + number;
    return place;
#endif
}

// Puts the places of the elements into `places`, which must be zero. Elements with equal digits keep their order.
void glsort_place_by_ballots(glsort_Element mine[GLSORT_ELEMENTS], uint shift, uint bits, inout glsort_Places places) {
    uint row = glsort_own_row();
    glsort_Votes up_to_this = glsort_votes_up_to(GLSORT_SUBGROUP_LANE);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        if (k >= glsort_held) break;
        uint digit = glsort_digit_of(mine[k], shift, bits);
        glsort_Votes peers = glsort_peers_of(digit);
        uint number = glsort_vote_count(peers & up_to_this);
        uint place = glsort_next_place(row + digit, peers, number) + number - 1u;
        places[k / 2u] += place << (k % 2u * 16u);
    }
}

#if defined(GLSORT_ANY_BEFORE)
// Like glsort_place_by_ballots, but elements with equal digits get their places in any order. GLSORT_PARTLY is never
// defined here, so all elements count.
void glsort_place_ties(glsort_Element mine[GLSORT_ELEMENTS], uint shift, uint bits, inout glsort_Places places) {
    uint row = glsort_own_row();
    uint one = 1u << glsort_own_shift();
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint digit = glsort_digit_of(mine[k], shift, bits);
        uint place = glsort_own_count(atomicAdd(glsort_memory[row + digit], one));
        places[k / 2u] += place << (k % 2u * 16u);
    }
}
#endif

// Writes zeros for the counts. A barrier must follow.
void glsort_clear_counts() {
    for (uint i = GLSORT_LANE; i < GLSORT_ROWS * GLSORT_DIGITS; i += GLSORT_GROUP_SIZE) glsort_memory[i] = 0u;
}

// Tells the kernel, as early as possible, how many elements of digit GLSORT_LANE the tile has.
void glsort_counted(uint count);

// GLSORT_KEEPS_COUNTS: counts stay in registers between the two loops over rows. Otherwise each load of the second loop
// waits for the previous store. Kernels with many elements have no registers to spare.

// Computes the places of the elements in the sorted tile. The memory must be zero and visible. `smaller`: how many
// elements have digits below GLSORT_LANE. Returns the count that `glsort_counted` gets.
uint glsort_rank_elements(glsort_Element mine[GLSORT_ELEMENTS], uint shift, uint bits, out glsort_Places places,
                          out uint smaller) {
    uint row = glsort_own_row();
    uint one = 1u << glsort_own_shift();
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        if (k < glsort_held) atomicAdd(glsort_memory[row + glsort_digit_of(mine[k], shift, bits)], one);
    barrier();
    uint count = 0u;
#if defined(GLSORT_KEEPS_COUNTS)
    uint kept[GLSORT_ROWS];
#define GLSORT_COUNT_OF(row) kept[row]
#else
#define GLSORT_COUNT_OF(row) glsort_memory[row * GLSORT_DIGITS + GLSORT_LANE]
#endif
    if (GLSORT_LANE < GLSORT_DIGITS) {
#if defined(GLSORT_KEEPS_COUNTS)
        for (uint i = 0u; i < GLSORT_ROWS; ++i) kept[i] = glsort_memory[i * GLSORT_DIGITS + GLSORT_LANE];
#endif
        for (uint i = 0u; i < GLSORT_ROWS; ++i) count += glsort_sum_of(GLSORT_COUNT_OF(i));
        glsort_counted(count);
    }
    uint total;
    smaller = glsort_group_scan(count, GLSORT_DIGITS, total);
    // The elements of each digit, subgroup by subgroup, come after all elements of smaller digits.
    if (GLSORT_LANE < GLSORT_DIGITS) {
        uint place = smaller;
        for (uint i = 0u; i < GLSORT_ROWS; ++i) {
            uint here = GLSORT_COUNT_OF(i);
            glsort_memory[i * GLSORT_DIGITS + GLSORT_LANE] = glsort_sums_before(place, here);
            place += glsort_sum_of(here);
        }
    }
    barrier();
    for (uint k = 0u; k < (GLSORT_ELEMENTS + 1u) / 2u; ++k) places[k] = 0u;
#if defined(GLSORT_ANY_BEFORE)
    if (glsort_all_tie(mine, shift)) glsort_place_ties(mine, shift, bits, places);
    else glsort_place_by_ballots(mine, shift, bits, places);
#else
    glsort_place_by_ballots(mine, shift, bits, places);
#endif
    barrier();
    return count;
}
