// Moves all elements by a digit, reading and writing each once (Adinets and Merrill 2022).
//
// `status` has a word for each digit of each tile: how many elements of the digit the tile has (COUNTED), or it
// and all tiles before it (SUMMED). Tiles are taken in order, so that a group waits only for groups that have begun.
// Nothing says that these are run while it waits: after LONGEST_WAIT looks it counts the other's tile itself.

#pragma optionNV(unroll all)

const uint COUNTED = 1u;
const uint SUMMED = 2u;
const uint SUBGROUPS = GROUP_SIZE / uint(SUBGROUP);

shared uint memory[MEMORY];       // elements of each digit by subgroup; then a word of each element of the tile
shared uint digit_shift[DIGITS];  // from a digit's place in the tile to where it goes
shared uint taken_tile;
shared uint waiting;

// All that the group has stored is there for all of it to load.
void group_ready() {
    memoryBarrierShared();
    barrier();
}

// The invocations of the subgroup that have the same digit.
Votes peers_of(uint digit) {
    Votes peers = votes_for(true);
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

uint status_at(uint tile, uint digit) { return op_first_status + tile * DIGITS + digit; }

// Adds what the tiles before `tile` have of a digit, from the last one down; returns the tile before which all is
// still missing, 0 for none. Words of several tiles are on their way at once.
uint look_back(uint tile, uint digit, inout uint sum) {
    uint looks = 0u;
    while (tile > 0u && looks < LONGEST_WAIT) {
        uint words[LOOK_BACK];
        for (uint i = 0u; i < LOOK_BACK; ++i) words[i] = status_load(status_at(max(tile, i + 1u) - (i + 1u), digit));
        ++looks;
        for (uint i = 0u; i < LOOK_BACK; ++i) {
            uint word = words[i];
            if ((word & 3u) == 0u) break;
            sum += word >> 2u;
            if ((word & 3u) == SUMMED) return 0u;
            looks = 0u;
            --tile;
        }
    }
    return tile;
}

// The same without waiting, by all the group: what is missing is counted. `missing`: as look_back returns it.
void count_back(uint tile, uint missing, inout uint sum) {
    for (; tile > 0u && waiting > 0u; --tile) {
        uint before = tile - 1u;
        if (LANE < DIGITS) digit_shift[LANE] = 0u;
        group_ready();
        for (uint k = 0u; k < ELEMENTS; ++k) {
            Record record = source_gather(before * TILE + k * GROUP_SIZE + LANE);
            atomicAdd(digit_shift[digit_of(record, op_shift, op_bits)], 1u);
        }
        group_ready();
        if (LANE == 0u) waiting = 0u;
        group_ready();
        if (LANE < DIGITS && missing == tile) {
            uint word = status_load(status_at(before, LANE));
            bool summed = (word & 3u) == SUMMED;
            sum += summed ? word >> 2u : digit_shift[LANE];
            missing = summed ? 0u : before;
        }
        if (missing > 0u) atomicOr(waiting, 1u);
        group_ready();
    }
}

// The words of a record go through the memory one after the other.
#if RECORD_WORDS == 1
#define FIRST_WORD(record) record
#else
#define FIRST_WORD(record) (record).x
#endif
#define EXCHANGE(word)                                                     \
    group_ready();                                                         \
    for (uint k = 0u; k < ELEMENTS; ++k) memory[places[k]] = mine[k].word; \
    group_ready();                                                         \
    for (uint k = 0u; k < ELEMENTS; ++k) sorted[k].word = memory[k * GROUP_SIZE + LANE];

void kernel(Index instance) {
    if (LANE == 0u) {
        taken_tile = status_add(op_ticket, 1u);
        waiting = 0u;
    }
    for (uint i = LANE; i < SUBGROUPS * DIGITS; i += GROUP_SIZE) memory[i] = 0u;
    group_ready();
    uint tile = taken_tile;
    uint size = min(op_count - tile * TILE, TILE);

    // The invocations of a subgroup load neighbours, and rank them one after the other.
    uint first = tile * TILE + SUBGROUP_NUMBER * (uint(SUBGROUP) * ELEMENTS) + SUBGROUP_LANE;
    Record mine[ELEMENTS];
    if (size == TILE) {
        for (uint k = 0u; k < ELEMENTS; ++k) mine[k] = source_gather(first + k * uint(SUBGROUP));
    } else {
        for (uint k = 0u; k < ELEMENTS; ++k) {
            uint element = first + k * uint(SUBGROUP);
            mine[k] = element < op_count ? source_gather(element) : MISSING;
        }
    }
    uint row = SUBGROUP_NUMBER * DIGITS;
    Votes earlier = votes_before(SUBGROUP_LANE);
    uint places[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint digit = digit_of(mine[k], op_shift, op_bits);
        Votes peers = peers_of(digit);
        uint rank = vote_count(peers & earlier);
        places[k] = met_before(row + digit, peers, rank == 0u) + rank;
    }
    group_ready();

    // Each digit's elements, subgroup by subgroup, come behind those of smaller digits.
    uint count = 0u;
    if (LANE < DIGITS) {
        for (uint i = 0u; i < SUBGROUPS; ++i) count += memory[i * DIGITS + LANE];
        status_scatter(status_at(tile, LANE), count << 2u | (tile == 0u ? SUMMED : COUNTED));
    }
    uint total;
    uint smaller = group_scan(count, total);
    if (LANE < DIGITS) {
        uint place = smaller;
        for (uint i = 0u; i < SUBGROUPS; ++i) {
            uint here = memory[i * DIGITS + LANE];
            memory[i * DIGITS + LANE] = place;
            place += here;
        }
    }
    group_ready();
    for (uint k = 0u; k < ELEMENTS; ++k) places[k] += memory[row + digit_of(mine[k], op_shift, op_bits)];
    group_ready();

    for (uint k = 0u; k < ELEMENTS; ++k) memory[places[k]] = FIRST_WORD(mine[k]);
    uint sum = 0u;
    uint missing = 0u;
    if (LANE < DIGITS) {
        missing = look_back(tile, LANE, sum);
        if (missing > 0u) atomicOr(waiting, 1u);
    }
    group_ready();
    if (waiting > 0u) count_back(tile, missing, sum);
    if (LANE < DIGITS) {
        if (tile > 0u) status_scatter(status_at(tile, LANE), sum + count << 2u | SUMMED);
        digit_shift[LANE] = starts_gather(op_pass * DIGITS + LANE) + sum - smaller;
    }
    group_ready();

    Record sorted[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) FIRST_WORD(sorted[k]) = memory[k * GROUP_SIZE + LANE];
#if RECORD_WORDS > 1
    EXCHANGE(y)
#endif
#if RECORD_WORDS > 2
    EXCHANGE(z)
#endif
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        uint goal = digit_shift[digit_of(sorted[k], op_shift, op_bits)] + place;
        if (place < size) target_scatter(goal, sorted[k]);
    }
}
