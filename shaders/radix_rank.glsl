// Ranks the elements of a tile by a digit, by ballots of subgroups: MEMORY words of shared memory hold how many
// elements of each digit each subgroup has met; then they are free for the tile itself.

#pragma optionNV(unroll all)

const uint SUBGROUPS = GROUP_SIZE / uint(SUBGROUP);

shared uint memory[MEMORY];

// Element k of an invocation, in the tile: the invocations of a subgroup have neighbours.
uint element_of(uint k) {
    return SUBGROUP_NUMBER * (uint(SUBGROUP) * ELEMENTS) + k * uint(SUBGROUP) + SUBGROUP_LANE;
}

// The invocations of the subgroup that have the same digit.
Votes peers_of(uint digit) {
    Votes peers = EVERYONE;
    for (uint bit = 0u; bit < DIGIT_BITS; ++bit) {
        bool mine = (digit >> bit & 1u) != 0u;
        Votes votes = votes_for(mine);
        peers &= mine ? votes : ~votes;
    }
    return peers;
}

// How many elements of the digit the subgroup has met before; now it meets the peers.
uint met_before(uint slot, Votes peers, bool first) {
#if defined(SUBGROUPS_KHR)
    uint before = 0u;
    if (first) before = atomicAdd(memory[slot], vote_count(peers));
    return subgroupShuffle(before, first_vote(peers));
#else
    uint before = memory[slot];
    if (first) memory[slot] = before + vote_count(peers);
    return before;
#endif
}

// The kernel is told, as soon as it is known, how many elements of digit LANE the tile has.
void counted(uint count);

// Places in the tile, of 16 bits: registers are what limits the groups of a multiprocessor.
#define Places uint[(ELEMENTS + 1u) / 2u]
uint place_of(Places places, uint k) { return places[k / 2u] >> (k % 2u * 16u) & 0xffffu; }
void add_to_place(inout Places places, uint k, uint value) { places[k / 2u] += value << (k % 2u * 16u); }

// Where the elements go in the tile. The memory is zero, and ready. `smaller`: how many elements have smaller digits
// than LANE. Returns what `counted` is told.
uint rank_elements(Record mine[ELEMENTS], uint shift, uint bits, out Places places, out uint smaller) {
    uint row = SUBGROUP_NUMBER * DIGITS;
    Votes earlier = votes_before(SUBGROUP_LANE);
    for (uint k = 0u; k < (ELEMENTS + 1u) / 2u; ++k) places[k] = 0u;
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint digit = digit_of(mine[k], shift, bits);
        Votes peers = peers_of(digit);
        uint rank = vote_count(peers & earlier);
        add_to_place(places, k, met_before(row + digit, peers, rank == 0u) + rank);
    }
    group_ready();
    // Each digit's elements, subgroup by subgroup, come behind those of smaller digits.
    uint count = 0u;
    if (LANE < DIGITS) {
        for (uint i = 0u; i < SUBGROUPS; ++i) count += memory[i * DIGITS + LANE];
        counted(count);
    }
    uint total;
    smaller = group_scan(count, total);
    if (LANE < DIGITS) {
        uint place = smaller;
        for (uint i = 0u; i < SUBGROUPS; ++i) {
            uint here = memory[i * DIGITS + LANE];
            memory[i * DIGITS + LANE] = place;
            place += here;
        }
    }
    group_ready();
    for (uint k = 0u; k < ELEMENTS; ++k) add_to_place(places, k, memory[row + digit_of(mine[k], shift, bits)]);
    group_ready();
    return count;
}

// The words of a record go through the memory one after the other: the first by itself, where there are more by
// EXCHANGE, from `mine` to element k of `sorted`, which has the place `place` in the tile.
#if RECORD_WORDS == 1
#define FIRST_WORD(record) record
#else
#define FIRST_WORD(record) (record).x
#endif
#define STORE_FIRST_WORD \
    for (uint k = 0u; k < ELEMENTS; ++k) memory[place_of(places, k)] = FIRST_WORD(mine[k]);
#define LOAD_FIRST_WORD(sorted, place) \
    for (uint k = 0u; k < ELEMENTS; ++k) FIRST_WORD(sorted[k]) = memory[place];
#define EXCHANGE(sorted, place, word)                                                \
    group_ready();                                                                   \
    for (uint k = 0u; k < ELEMENTS; ++k) memory[place_of(places, k)] = mine[k].word; \
    group_ready();                                                                   \
    for (uint k = 0u; k < ELEMENTS; ++k) sorted[k].word = memory[place];
#if RECORD_WORDS == 1
#define EXCHANGE_OTHERS(sorted, place)
#elif RECORD_WORDS == 2
#define EXCHANGE_OTHERS(sorted, place) EXCHANGE(sorted, place, y)
#else
#define EXCHANGE_OTHERS(sorted, place) \
    EXCHANGE(sorted, place, y)         \
    EXCHANGE(sorted, place, z)
#endif
