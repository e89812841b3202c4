// Ranks the elements of a tile by a digit, by ballots of subgroups: MEMORY words of shared memory hold how many
// elements of each digit each subgroup has, and then where the next of them goes; then they are free for the tile.

#pragma optionNV(unroll all)

const uint SUBGROUPS = GROUP_SIZE / uint(SUBGROUP);

shared uint memory[MEMORY];

// How many of its ELEMENTS an invocation has. PARTLY: as many as there are records for, so that sorting half a tile
// takes little more than half as long; a whole one takes a seventh longer (docs/experiments.md).
#if defined(PARTLY)
uint held = ELEMENTS;
#else
const uint held = ELEMENTS;
#endif

// Element k of an invocation, in the tile: the invocations of a subgroup have neighbours.
uint element_of(uint k) {
    return SUBGROUP_NUMBER * (uint(SUBGROUP) * held) + k * uint(SUBGROUP) + SUBGROUP_LANE;
}

// The invocations of the subgroup that have the same digit.
Votes peers_of(uint digit) {
    Votes others = Votes(0u);
    for (uint bit = 0u; bit < DIGIT_BITS; ++bit) {
        bool mine = (digit & 1u << bit) != 0u;
        // On its own: within the expression it takes NVIDIA's compiler more instructions (docs/experiments.md).
        Votes votes = votes_for(mine);
        others |= votes ^ (mine ? EVERYONE : Votes(0u));
    }
    return EVERYONE & ~others;
}

// The place of the subgroup's next element of the digit; it goes on by the number of the peers. `number`: of them, up
// to the invocation, so that the last peer knows how many there are: on NVIDIA's GPUs counting bits takes four times as
// long as adding.
uint next_place(uint slot, Votes peers, uint number) {
    uint last = last_vote(peers);
#if defined(SUBGROUPS_KHR)
    uint place = 0u;
    if (SUBGROUP_LANE == last) place = atomicAdd(memory[slot], number);
    return subgroupShuffle(place, last);
#else
    uint place = memory[slot];
    if (SUBGROUP_LANE == last) memory[slot] = place + number;
    return place;
#endif
}

// The kernel is told, as soon as it is known, how many elements of digit LANE the tile has.
void counted(uint count);

// Places in the tile, of 16 bits: registers are what limits the groups of a multiprocessor.
#define Places uint[(ELEMENTS + 1u) / 2u]
uint place_of(Places places, uint k) { return places[k / 2u] >> (k % 2u * 16u) & 0xffffu; }

// Where the elements go in the tile. The memory is zero, and ready. `smaller`: how many elements have smaller digits
// than LANE. Returns what `counted` is told.
uint rank_elements(Record mine[ELEMENTS], uint shift, uint bits, out Places places, out uint smaller) {
    uint row = SUBGROUP_NUMBER * DIGITS;
    for (uint k = 0u; k < ELEMENTS; ++k)
        if (k < held) atomicAdd(memory[row + digit_of(mine[k], shift, bits)], 1u);
    barrier();
    uint count = 0u;
    if (LANE < DIGITS) {
        for (uint i = 0u; i < SUBGROUPS; ++i) count += memory[i * DIGITS + LANE];
        counted(count);
    }
    uint total;
    smaller = group_scan(count, DIGITS, total);
    // Each digit's elements, subgroup by subgroup, come behind those of smaller digits.
    if (LANE < DIGITS) {
        uint place = smaller;
        for (uint i = 0u; i < SUBGROUPS; ++i) {
            uint here = memory[i * DIGITS + LANE];
            memory[i * DIGITS + LANE] = place;
            place += here;
        }
    }
    barrier();
    Votes up_to_this = votes_up_to(SUBGROUP_LANE);
    for (uint k = 0u; k < (ELEMENTS + 1u) / 2u; ++k) places[k] = 0u;
    for (uint k = 0u; k < ELEMENTS; ++k) {
        if (k >= held) break;
        uint digit = digit_of(mine[k], shift, bits);
        Votes peers = peers_of(digit);
        uint number = vote_count(peers & up_to_this);
        places[k / 2u] += next_place(row + digit, peers, number) + number - 1u << (k % 2u * 16u);
    }
    barrier();
    return count;
}
