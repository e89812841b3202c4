// Moves all elements by a digit, reading and writing each once (Adinets and Merrill 2022).
//
// `status` has a word for each digit of each tile. The word counts the elements of the digit in the tile
// (GLSORT_COUNTED), or in the tile and all earlier tiles (GLSORT_SUMMED). A group waits for groups with smaller
// numbers. GPUs begin groups in the order of their numbers, but nothing guarantees this order. Also, nothing guarantees
// that a group keeps running while another waits. After GLSORT_LONGEST_WAIT reads the waiting group therefore counts
// the other group's tile itself.
//
// Clears the other half of `status`, which the previous sweep used, for the next sweep.
//
// GLSORT_MOVES_SUMS: the first sweep. Takes its totals from the sums of the histogram, moves those of later sweeps to
// `totals`, and leaves zeros for the next sort.
//
// GLSORT_RUNS: the load chunk loads all elements of an invocation at once, by `glsort_load_run`.
//
// expects ports: source, status, target, totals
// allows ports: sums
// expects parameters: bits, count, first_status, pass, shift, stale
// expects macros: GLSORT_DIGITS, GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_LONGEST_WAIT
// expects macros: GLSORT_LOOK_BACK, GLSORT_SUBGROUP, GLSORT_TILE
// allows macros: GLSORT_MOVES_SUMS, GLSORT_RUNS, GLSORT_STORED_APART

#include "lib/layout.glsl"
#include "radix/radix_move.glsl"
#if defined(GLSORT_MOVES_SUMS)
#include "radix/move_sums.glsl"
#endif

const uint GLSORT_COUNTED = 1u;
const uint GLSORT_SUMMED = 2u;

uint glsort_tile = 0u;  // of the group
shared uint glsort_waiting;

#if defined(GLSORT_MOVES_SUMS)
uint glsort_total_of(uint digit) { return glsort_sums_load(digit); }
#else
uint glsort_total_of(uint digit) { return glsort_totals_gather(glsort_op_pass * GLSORT_DIGITS + digit); }
#endif

// Puts the start of each digit's elements into glsort_digit_shift. The sum of the first tile includes the start, and so
// do the sums of all later tiles.
void glsort_find_starts() {
    uint total;
    uint start = glsort_group_scan(
        GLSORT_LANE < GLSORT_DIGITS ? glsort_total_of(GLSORT_LANE) : 0u, GLSORT_DIGITS, total);
    if (GLSORT_LANE < GLSORT_DIGITS) glsort_digit_shift[GLSORT_LANE] = start;
    barrier();
}

uint glsort_status_at(uint tile, uint digit) { return glsort_op_first_status + tile * GLSORT_DIGITS + digit; }

// Adds the counts of a digit in the tiles before `tile`, from the last tile down. Returns the tile before which all
// counts are still missing; 0: none. Fetches the words of several tiles at once.
uint glsort_look_back(uint tile, uint digit, inout uint sum) {
    for (uint looks = 0u; tile > 0u && looks < GLSORT_LONGEST_WAIT; ++looks) {
        uint words[GLSORT_LOOK_BACK];
        for (uint i = 0u; i < GLSORT_LOOK_BACK; ++i)
            words[i] = glsort_status_load(glsort_status_at(max(tile, i + 1u) - (i + 1u), digit));
        for (uint i = 0u; i < GLSORT_LOOK_BACK; ++i) {
            uint word = words[i];
            if ((word & 3u) == 0u) break;
            sum += word >> 2u;
            looks = 0u;
            --tile;
            if ((word & 3u) == GLSORT_SUMMED) {
                tile = 0u;
                break;
            }
        }
    }
    return tile;
}

// Adds the missing counts without waiting: the whole group counts the tiles itself. `missing`: the return value of
// glsort_look_back.
void glsort_count_back(uint tile, uint missing, inout uint sum) {
    for (; tile > 0u && glsort_waiting > 0u; --tile) {
        uint before = tile - 1u;
        if (before == 0u) {
            glsort_find_starts();
        } else {
            if (GLSORT_LANE < GLSORT_DIGITS) glsort_digit_shift[GLSORT_LANE] = 0u;
            barrier();
        }
        for (uint i = before * GLSORT_TILE + GLSORT_LANE; i < tile * GLSORT_TILE; i += GLSORT_GROUP_SIZE)
            atomicAdd(glsort_digit_shift[glsort_digit_of(glsort_source_gather(i), glsort_op_shift, glsort_op_bits)],
                      1u);
        memoryBarrierBuffer();
        barrier();
        if (GLSORT_LANE == 0u) glsort_waiting = 0u;
        barrier();
        if (GLSORT_LANE < GLSORT_DIGITS && missing == tile) {
            uint word = glsort_status_load(glsort_status_at(before, GLSORT_LANE));
            bool summed = (word & 3u) == GLSORT_SUMMED;
            sum += summed ? word >> 2u : glsort_digit_shift[GLSORT_LANE];
            missing = summed ? 0u : before;
        }
        if (missing > 0u) atomicOr(glsort_waiting, 1u);
        barrier();
    }
}

void glsort_counted(uint count) {
    uint word = glsort_tile == 0u ? glsort_digit_shift[GLSORT_LANE] + count << 2u | GLSORT_SUMMED
                                        : count << 2u | GLSORT_COUNTED;
    glsort_status_scatter(glsort_status_at(glsort_tile, GLSORT_LANE), word);
}

// Publishes and uses the sum of digit GLSORT_LANE over all earlier tiles, which is now complete.
void glsort_settle(uint tile, uint count, uint smaller, uint sum) {
    if (tile > 0u) glsort_status_scatter(glsort_status_at(tile, GLSORT_LANE), sum + count << 2u | GLSORT_SUMMED);
    else sum = glsort_digit_shift[GLSORT_LANE];
    glsort_digit_shift[GLSORT_LANE] = sum - smaller;
}

#if defined(GLSORT_STORED_APART)
void glsort_move_first(uint goal, glsort_Element record) { glsort_target_scatter_key(goal, record); }
void glsort_move_rest(uint goal, glsort_Element record) { glsort_target_scatter_value(goal, record); }
#else
void glsort_move_first(uint goal, glsort_Element record) { glsort_target_scatter(goal, record); }
void glsort_move_rest(uint goal, glsort_Element record) {}
#endif

#if defined(GLSORT_MOVES_SUMS)
// Runs in the group of the first tile. Another group that counts this tile itself may read cleared sums. That group
// then also sees the counts that the tile has published.
void glsort_hand_over_sums() {
    memoryBarrierBuffer();
    barrier();
    glsort_move_sums();
}
#endif

void glsort_kernel(glsort_Index instance) {
    uint tile = glsort_tile = glsort_number_of(instance);
    uint size = min(glsort_op_count - tile * GLSORT_TILE, GLSORT_TILE);
    glsort_Element mine[GLSORT_ELEMENTS];
    uint first = tile * GLSORT_TILE + glsort_element_of(0u);
#if defined(GLSORT_RUNS)
    glsort_load_run(first - GLSORT_SUBGROUP_LANE, glsort_op_count, mine);
#else
    // Loads outside of any branch are issued at once, and exist once in the code.
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        mine[k] = glsort_source_gather(min(first + k * uint(GLSORT_SUBGROUP), glsort_op_count - 1u));
#endif
    // All that does not need the elements follows the loads, and runs while these are on their way.
    if (GLSORT_LANE == 0u) glsort_waiting = 0u;
    glsort_clear_counts();
    if (glsort_op_stale != glsort_op_first_status && GLSORT_LANE < GLSORT_DIGITS)
        glsort_status_scatter(glsort_op_stale + tile * GLSORT_DIGITS + GLSORT_LANE, 0u);
    if (tile == 0u) glsort_find_starts();
    barrier();
    if (size < GLSORT_TILE)
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            if (first + k * uint(GLSORT_SUBGROUP) >= glsort_op_count) mine[k] = GLSORT_MISSING;
    glsort_Places places;
    uint smaller;
    uint count = glsort_rank_elements(mine, glsort_op_shift, glsort_op_bits, places, smaller);

    glsort_store_part(0u, mine, places);
    uint sum = 0u;
    uint missing = 0u;
    if (GLSORT_LANE < GLSORT_DIGITS) {
        missing = glsort_look_back(tile, GLSORT_LANE, sum);
        if (missing > 0u)
            atomicOr(glsort_waiting, 1u);
        else
            glsort_settle(tile, count, smaller, sum);
    }
    barrier();
    if (glsort_waiting > 0u) {
        glsort_count_back(tile, missing, sum);
        if (GLSORT_LANE < GLSORT_DIGITS) glsort_settle(tile, count, smaller, sum);
        barrier();
    }
    glsort_move_elements(mine, places, size);
#if defined(GLSORT_MOVES_SUMS)
    if (tile == 0u) glsort_hand_over_sums();
#endif
}
