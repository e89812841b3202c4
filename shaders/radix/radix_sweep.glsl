// Moves all elements by a digit, reading and writing each once (Adinets and Merrill 2022).
//
// `status` has a word for each digit of each tile: how many elements of the digit the tile has (COUNTED), or it
// and all tiles before it (SUMMED). Tiles are taken in order, so that a group waits only for groups that have begun.
// Nothing says that these are run while it waits: after LONGEST_WAIT looks it counts the other's tile itself.
//
// What the sweep before has left in the other half of `status` becomes zero for the next.

const uint COUNTED = 1u;
const uint SUMMED = 2u;

shared uint taken_tile;
shared uint waiting;

// Where each digit's elements begin, into digit_shift. The sum of the first tile has it in it, and so that of each
// other.
void find_starts() {
    uint total;
    uint start = group_scan(LANE < DIGITS ? totals_gather(op_pass * DIGITS + LANE) : 0u, DIGITS, total);
    if (LANE < DIGITS) digit_shift[LANE] = start;
    barrier();
}

uint status_at(uint tile, uint digit) { return op_first_status + tile * DIGITS + digit; }

// Adds what the tiles before `tile` have of a digit, from the last one down; returns the tile before which all is
// still missing, 0 for none. Words of several tiles are on their way at once.
uint look_back(uint tile, uint digit, inout uint sum) {
    for (uint looks = 0u; tile > 0u && looks < LONGEST_WAIT; ++looks) {
        uint words[LOOK_BACK];
        for (uint i = 0u; i < LOOK_BACK; ++i) words[i] = status_load(status_at(max(tile, i + 1u) - (i + 1u), digit));
        for (uint i = 0u; i < LOOK_BACK; ++i) {
            uint word = words[i];
            if ((word & 3u) == 0u) break;
            sum += word >> 2u;
            looks = 0u;
            --tile;
            if ((word & 3u) == SUMMED) {
                tile = 0u;
                break;
            }
        }
    }
    return tile;
}

// The same without waiting, by all the group: what is missing is counted. `missing`: as look_back returns it.
void count_back(uint tile, uint missing, inout uint sum) {
    for (; tile > 0u && waiting > 0u; --tile) {
        uint before = tile - 1u;
        if (before == 0u) {
            find_starts();
        } else {
            if (LANE < DIGITS) digit_shift[LANE] = 0u;
            barrier();
        }
        for (uint i = before * TILE + LANE; i < tile * TILE; i += GROUP_SIZE)
            atomicAdd(digit_shift[digit_of(source_gather(i), op_shift, op_bits)], 1u);
        barrier();
        if (LANE == 0u) waiting = 0u;
        barrier();
        if (LANE < DIGITS && missing == tile) {
            uint word = status_load(status_at(before, LANE));
            bool summed = (word & 3u) == SUMMED;
            sum += summed ? word >> 2u : digit_shift[LANE];
            missing = summed ? 0u : before;
        }
        if (missing > 0u) atomicOr(waiting, 1u);
        barrier();
    }
}

void counted(uint count) {
    uint word = taken_tile == 0u ? digit_shift[LANE] + count << 2u | SUMMED : count << 2u | COUNTED;
    status_scatter(status_at(taken_tile, LANE), word);
}

// All before the tile is known of digit LANE.
void settle(uint tile, uint count, uint smaller, uint sum) {
    if (tile > 0u) status_scatter(status_at(tile, LANE), sum + count << 2u | SUMMED);
    else sum = digit_shift[LANE];
    digit_shift[LANE] = sum - smaller;
}

#if defined(STORED_APART)
void move_first(uint goal, Record record) { target_scatter_key(goal, record); }
void move_rest(uint goal, Record record) { target_scatter_value(goal, record); }
#else
void move_first(uint goal, Record record) { target_scatter(goal, record); }
void move_rest(uint goal, Record record) {}
#endif

void kernel(Index instance) {
    if (LANE == 0u) {
        taken_tile = status_add(op_ticket, 1u);
        waiting = 0u;
    }
    for (uint i = LANE; i < SUBGROUPS * DIGITS; i += GROUP_SIZE) memory[i] = 0u;
    barrier();
    uint tile = taken_tile;
    if (op_stale != op_first_status && LANE < DIGITS) status_scatter(op_stale + tile * DIGITS + LANE, 0u);
    if (tile == 0u) find_starts();
    uint size = min(op_count - tile * TILE, TILE);

    // Loads that are in no branch are all on their way at once, and in the code but once.
    uint first = tile * TILE + element_of(0u);
    Record mine[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) mine[k] = source_gather(min(first + k * uint(SUBGROUP), op_count - 1u));
    if (size < TILE)
        for (uint k = 0u; k < ELEMENTS; ++k)
            if (first + k * uint(SUBGROUP) >= op_count) mine[k] = MISSING;
    Places places;
    uint smaller;
    uint count = rank_elements(mine, op_shift, op_bits, places, smaller);

    store_part(0u, mine, places);
    uint sum = 0u;
    uint missing = 0u;
    if (LANE < DIGITS) {
        missing = look_back(tile, LANE, sum);
        if (missing > 0u)
            atomicOr(waiting, 1u);
        else
            settle(tile, count, smaller, sum);
    }
    barrier();
    if (waiting > 0u) {
        count_back(tile, missing, sum);
        if (LANE < DIGITS) settle(tile, count, smaller, sum);
        barrier();
    }
    move_elements(mine, places, size);
}
