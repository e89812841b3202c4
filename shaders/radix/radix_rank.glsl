// Ranks the elements of a tile by a digit, by ballots of subgroups: GLSORT_MEMORY words of shared memory hold how many
// elements of each digit each subgroup has, and then where the next of them goes; then they are free for the tile.
//
// expects macros: GLSORT_DIGITS, GLSORT_DIGIT_BITS, GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MEMORY
// expects macros: GLSORT_SUBGROUP
// allows macros: GLSORT_PARTLY, GLSORT_SUBGROUPS_KHR
// ignores macros: GLSORT_ROUND_BITS

#include "lib/subgroup.glsl"
#include "lib/group_scan.glsl"
#include "radix/radix_digit.glsl"

#pragma optionNV(unroll all)

const uint GLSORT_SUBGROUPS = GLSORT_GROUP_SIZE / uint(GLSORT_SUBGROUP);

shared uint glsort_memory[GLSORT_MEMORY];

// How many of its GLSORT_ELEMENTS an invocation has. GLSORT_PARTLY: as many as there are records for, so that sorting
// half a tile takes little more than half as long; a whole one takes a seventh longer (docs/experiments.md).
#if defined(GLSORT_PARTLY)
uint glsort_held = GLSORT_ELEMENTS;
#else
const uint glsort_held = GLSORT_ELEMENTS;
#endif

// Element k of an invocation, in the tile: the invocations of a subgroup have neighbours.
uint glsort_element_of(uint k) {
    return GLSORT_SUBGROUP_NUMBER * (uint(GLSORT_SUBGROUP) * glsort_held) + k * uint(GLSORT_SUBGROUP) +
           GLSORT_SUBGROUP_LANE;
}

// The invocations of the subgroup that have the same digit.
glsort_Votes glsort_peers_of(uint digit) {
    glsort_Votes others = glsort_Votes(0u);
    for (uint bit = 0u; bit < GLSORT_DIGIT_BITS; ++bit) {
        bool mine = (digit & 1u << bit) != 0u;
        // On its own: within the expression it takes NVIDIA's compiler more instructions (docs/experiments.md).
        glsort_Votes votes = glsort_votes_for(mine);
        others |= votes ^ (mine ? GLSORT_EVERYONE : glsort_Votes(0u));
    }
    return GLSORT_EVERYONE & ~others;
}

// The place of the subgroup's next element of the digit; it goes on by the number of the peers. `number`: of them, up
// to the invocation, so that the last peer knows how many there are: on NVIDIA's GPUs counting bits takes four times as
// long as adding.
uint glsort_next_place(uint slot, glsort_Votes peers, uint number) {
    uint last = glsort_last_vote(peers);
#if defined(GLSORT_SUBGROUPS_KHR)
    uint place = 0u;
    if (GLSORT_SUBGROUP_LANE == last) place = atomicAdd(glsort_memory[slot], number);
    return subgroupShuffle(place, last);
#else
    uint place = glsort_memory[slot];
    if (GLSORT_SUBGROUP_LANE == last) glsort_memory[slot] = place + number;
    return place;
#endif
}

// The kernel is told, as soon as it is known, how many elements of digit GLSORT_LANE the tile has.
void glsort_counted(uint count);

// Places in the tile, of 16 bits: registers are what limits the groups of a multiprocessor.
#define glsort_Places uint[(GLSORT_ELEMENTS + 1u) / 2u]
uint glsort_place_of(glsort_Places places, uint k) { return places[k / 2u] >> (k % 2u * 16u) & 0xffffu; }

// Where the elements go in the tile. The memory is zero, and ready. `smaller`: how many elements have smaller digits
// than GLSORT_LANE. Returns what `glsort_counted` is told.
uint glsort_rank_elements(glsort_Record mine[GLSORT_ELEMENTS], uint shift, uint bits, out glsort_Places places,
                          out uint smaller) {
    uint row = GLSORT_SUBGROUP_NUMBER * GLSORT_DIGITS;
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        if (k < glsort_held) atomicAdd(glsort_memory[row + glsort_digit_of(mine[k], shift, bits)], 1u);
    barrier();
    uint count = 0u;
    if (GLSORT_LANE < GLSORT_DIGITS) {
        for (uint i = 0u; i < GLSORT_SUBGROUPS; ++i) count += glsort_memory[i * GLSORT_DIGITS + GLSORT_LANE];
        glsort_counted(count);
    }
    uint total;
    smaller = glsort_group_scan(count, GLSORT_DIGITS, total);
    // Each digit's elements, subgroup by subgroup, come behind those of smaller digits.
    if (GLSORT_LANE < GLSORT_DIGITS) {
        uint place = smaller;
        for (uint i = 0u; i < GLSORT_SUBGROUPS; ++i) {
            uint here = glsort_memory[i * GLSORT_DIGITS + GLSORT_LANE];
            glsort_memory[i * GLSORT_DIGITS + GLSORT_LANE] = place;
            place += here;
        }
    }
    barrier();
    glsort_Votes up_to_this = glsort_votes_up_to(GLSORT_SUBGROUP_LANE);
    for (uint k = 0u; k < (GLSORT_ELEMENTS + 1u) / 2u; ++k) places[k] = 0u;
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        if (k >= glsort_held) break;
        uint digit = glsort_digit_of(mine[k], shift, bits);
        glsort_Votes peers = glsort_peers_of(digit);
        uint number = glsort_vote_count(peers & up_to_this);
        places[k / 2u] += glsort_next_place(row + digit, peers, number) + number - 1u << (k % 2u * 16u);
    }
    barrier();
    return count;
}
