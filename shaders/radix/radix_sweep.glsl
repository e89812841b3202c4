// Moves all elements by a digit. Reads and writes each element once (Adinets and Merrill 2022).
//
// A group waits for groups with smaller numbers (look_back.glsl). GPUs begin groups in the order of their numbers, but
// nothing guarantees this order. Also, nothing guarantees that a group keeps running while another waits. After
// GLSORT_LONGEST_WAIT reads the waiting group therefore counts the other group's tile itself.
//
// Clears the other half of `status`, which the previous sweep used, for the next sweep.
//
// GLSORT_MOVES_SUMS: the first sweep. Reads the sums of the histogram in place of totals. Then moves all sums to
// `totals` for later sweeps, and leaves zeros for the next sort.
//
// GLSORT_RUNS: the load chunk loads all elements of an invocation at once, by `glsort_load_run`.
//
// expects ports: source, status, target, totals
// allows ports: sums
// expects parameters: bits, count, first_status, pass, shift, stale
// expects macros: GLSORT_DIGITS, GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SUBGROUP, GLSORT_TILE
// allows macros: GLSORT_ANY_ORDER, GLSORT_MOVES_SUMS, GLSORT_RUNS, GLSORT_STORED_APART

#include "lib/layout.glsl"
#include "radix/look_back.glsl"
#include "radix/radix_move.glsl"
#if defined(GLSORT_MOVES_SUMS)
#include "radix/move_sums.glsl"
#endif

uint glsort_tile = 0u;  // of the group
shared uint glsort_waiting;
const uint GLSORT_UNKNOWN = 0xffffffffu;  // above all sums

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

// Adds the missing counts without waiting: the whole group counts the tiles itself. `missing`: the tile before which
// counts are missing. 0: no count is missing.
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
            uint word = glsort_word_of(before, GLSORT_LANE);
            bool summed = (word & 3u) == GLSORT_SUMMED;
            sum += summed ? word >> 2u : glsort_digit_shift[GLSORT_LANE];
            missing = summed ? 0u : before;
        }
        if (missing > 0u) atomicOr(glsort_waiting, 1u);
        barrier();
    }
}

void glsort_counted(uint count) {
    if (glsort_tile == 0u) glsort_publish_first_sum(GLSORT_LANE, glsort_digit_shift[GLSORT_LANE] + count);
    else glsort_publish_count(glsort_tile, GLSORT_LANE, count);
}

// Publishes and uses the sum of digit GLSORT_LANE over all earlier tiles. This sum must be complete.
void glsort_settle(uint tile, uint count, uint smaller, uint sum) {
    if (tile > 0u) glsort_publish_sum(tile, GLSORT_LANE, sum + count);
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
// Runs in the group of the first tile. Another group that counts this tile itself may read cleared sums. But then the
// other group also sees the published sums of the tile, and uses these.
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
    // Work that does not need the elements follows here, and runs while the loads are on their way.
    if (GLSORT_LANE == 0u) glsort_waiting = 0u;
    glsort_clear_counts();
    if (glsort_op_stale != glsort_op_first_status && GLSORT_LANE < GLSORT_DIGITS) {
        uint stale = glsort_op_stale + GLSORT_LANE;
        glsort_status_scatter(stale + glsort_row_of(tile) * GLSORT_DIGITS, 0u);
        if (tile % GLSORT_BLOCK == 0u) glsort_status_scatter(stale + glsort_block_row_of(tile) * GLSORT_DIGITS, 0u);
    }
    if (tile == 0u) glsort_find_starts();
    barrier();
    glsort_Places places;
    uint smaller;
#if defined(GLSORT_ANY_ORDER)
    uint count = glsort_rank_elements(mine, size, glsort_op_shift, glsort_op_bits, places, smaller);
#else
    if (size < GLSORT_TILE)
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            if (first + k * uint(GLSORT_SUBGROUP) >= glsort_op_count) mine[k] = GLSORT_MISSING;
    uint count = glsort_rank_elements(mine, glsort_op_shift, glsort_op_bits, places, smaller);
#endif

    glsort_store_part(0u, mine, places);
    uint sum = 0u;
    uint missing = 0u;
    if (GLSORT_LANE < GLSORT_DIGITS) missing = glsort_look_back(tile, GLSORT_LANE, sum);
    // Meanwhile other subgroups look at earlier blocks. A small group has no other subgroups. There, the invocations
    // that lack earlier blocks look themselves.
    bool is_small = GLSORT_GROUP_SIZE < 2u * GLSORT_DIGITS;
    uint digit = is_small ? GLSORT_LANE : GLSORT_LANE - GLSORT_DIGITS;
    bool looks = !is_small || (missing > 0u && missing % GLSORT_BLOCK == 0u);
    if (digit < GLSORT_DIGITS && tile >= GLSORT_BLOCK && looks) {
        uint before = 0u;
        bool complete = glsort_look_back_over_blocks(tile, digit, before);
        glsort_digit_shift[digit] = complete ? before : GLSORT_UNKNOWN;
    }
    barrier();
    if (GLSORT_LANE < GLSORT_DIGITS) {
        if (missing > 0u && missing % GLSORT_BLOCK == 0u && glsort_digit_shift[GLSORT_LANE] != GLSORT_UNKNOWN) {
            sum += glsort_digit_shift[GLSORT_LANE];
            missing = 0u;
        }
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
