// Sorts a tile in shared memory, stably, by bits of its codes: ROUND_BITS a round, from the lowest.
//
// An invocation holds ELEMENTS neighbours and counts, for each value of the bits, how many of them have it.
// The sums of these counts, value by value and invocation by invocation, are where its elements go. Two counters
// share a word, of values that differ in the highest bit: one scan adds both up (Merrill and Grimshaw 2010,
// section 4.3). What all invocations have of the values without that bit comes before those with it.

const uint COUNTER_WORDS = (1u << ROUND_BITS) / 2u;

shared uint counters[COUNTER_WORDS * GROUP_SIZE];

// Each counter becomes the sum of all before it.
void scan_counters() {
    uint first = LANE * COUNTER_WORDS;
    uint sum = 0u;
    for (uint i = 0u; i < COUNTER_WORDS; ++i) sum += counters[bank_slot(first + i)];
    uint total;
    uint before = group_scan(sum, GROUP_SIZE, total);
    before += total << 16u;
    for (uint i = 0u; i < COUNTER_WORDS; ++i) {
        uint slot = bank_slot(first + i);
        uint count = counters[slot];
        counters[slot] = before;
        before += count;
    }
}

void sort_round(uint shift, uint bits) {
    Record mine[ELEMENTS];
    uint ranks[ELEMENTS];
    for (uint i = 0u; i < COUNTER_WORDS; ++i) counters[bank_slot(i * GROUP_SIZE + LANE)] = 0u;
    for (uint k = 0u; k < ELEMENTS; ++k) {
        mine[k] = tile_load(LANE * ELEMENTS + k);
        uint digit = digit_of(mine[k], shift, bits);
        uint slot = bank_slot(digit % COUNTER_WORDS * GROUP_SIZE + LANE);
        uint half_word = digit / COUNTER_WORDS * 16u;
        uint count = counters[slot];
        ranks[k] = count >> half_word & 0xffffu;
        counters[slot] = count + (1u << half_word);
    }
    barrier();
    scan_counters();
    barrier();
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint digit = digit_of(mine[k], shift, bits);
        uint slot = bank_slot(digit % COUNTER_WORDS * GROUP_SIZE + LANE);
        uint place = (counters[slot] >> (digit / COUNTER_WORDS * 16u) & 0xffffu) + ranks[k];
        tile_store(place, mine[k]);
    }
    barrier();
}

// The tile is stored, and in the end it is there for all to load.
void sort_tile(uint shift, uint bits) {
    barrier();
    for (uint done = 0u; done < bits; done += ROUND_BITS) sort_round(shift + done, min(bits - done, ROUND_BITS));
}
