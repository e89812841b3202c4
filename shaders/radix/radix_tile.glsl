// Sorts a tile in shared memory, stably, by bits of its codes: GLSORT_ROUND_BITS per round, from the lowest.
//
// An invocation holds GLSORT_ELEMENTS neighbours and counts how many of them have each value of the bits. The prefix
// sums of these counts, value by value and invocation by invocation, give the places of the elements. Two counters
// share a word: the counters of two values that differ only in the highest bit. One scan adds up both (Merrill and
// Grimshaw 2010, section 4.3). Elements without the highest bit come before all elements with this bit.
//
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_ROUND_BITS

#include "lib/shared_tile.glsl"
#include "lib/bank_slot.glsl"
#include "lib/group_scan.glsl"
#include "radix/radix_digit.glsl"

const uint GLSORT_COUNTER_WORDS = (1u << GLSORT_ROUND_BITS) / 2u;

shared uint glsort_counters[GLSORT_COUNTER_WORDS * GLSORT_GROUP_SIZE];

// Replaces each counter by the sum of all earlier counters.
void glsort_scan_counters() {
    uint first = GLSORT_LANE * GLSORT_COUNTER_WORDS;
    uint sum = 0u;
    for (uint i = 0u; i < GLSORT_COUNTER_WORDS; ++i) sum += glsort_counters[glsort_bank_slot(first + i)];
    uint total;
    uint before = glsort_group_scan(sum, GLSORT_GROUP_SIZE, total);
    before += total << 16u;
    for (uint i = 0u; i < GLSORT_COUNTER_WORDS; ++i) {
        uint slot = glsort_bank_slot(first + i);
        uint count = glsort_counters[slot];
        glsort_counters[slot] = before;
        before += count;
    }
}

void glsort_sort_round(uint shift, uint bits) {
    glsort_Element mine[GLSORT_ELEMENTS];
    uint ranks[GLSORT_ELEMENTS];
    for (uint i = 0u; i < GLSORT_COUNTER_WORDS; ++i)
        glsort_counters[glsort_bank_slot(i * GLSORT_GROUP_SIZE + GLSORT_LANE)] = 0u;
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        mine[k] = glsort_tile_load(GLSORT_LANE * GLSORT_ELEMENTS + k);
        uint digit = glsort_digit_of(mine[k], shift, bits);
        uint slot = glsort_bank_slot(digit % GLSORT_COUNTER_WORDS * GLSORT_GROUP_SIZE + GLSORT_LANE);
        uint half_word = digit / GLSORT_COUNTER_WORDS * 16u;
        uint count = glsort_counters[slot];
        ranks[k] = count >> half_word & 0xffffu;
        glsort_counters[slot] = count + (1u << half_word);
    }
    barrier();
    glsort_scan_counters();
    barrier();
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint digit = glsort_digit_of(mine[k], shift, bits);
        uint slot = glsort_bank_slot(digit % GLSORT_COUNTER_WORDS * GLSORT_GROUP_SIZE + GLSORT_LANE);
        uint place = (glsort_counters[slot] >> (digit / GLSORT_COUNTER_WORDS * 16u) & 0xffffu) + ranks[k];
        glsort_tile_store(place, mine[k]);
    }
    barrier();
}

// The tile must be stored. At the end the tile is visible to all invocations.
void glsort_sort_tile(uint shift, uint bits) {
    barrier();
    for (uint done = 0u; done < bits; done += GLSORT_ROUND_BITS)
        glsort_sort_round(shift + done, min(bits - done, GLSORT_ROUND_BITS));
}
