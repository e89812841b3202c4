// Calls the caller's `sort_key` for each element of a portion. Each source is a block of the domain. Writes the keys of
// the visible elements to the front of the portion, and a record of the front. Also writes the numbers of visible items
// that do not lead (src/glsort/plan/scene/front_kernels.h).
//
// GLSORT_COUNTS_DIGITS: counts the digits of the keys, and clears a part of the sort's status. GLSORT_FINISHES: the
// last group to be done sums up the offsets of all fronts, and writes the results.
//
// expects ports: fronts, keys
// allows ports: items, sort_status
// expects parameters: base, count, first_front, first_group, portion
// allows parameters: fronts, groups, status, status_each
// expects macros: GLSORT_CLAMPED, GLSORT_GROUP_SIZE, GLSORT_KEYS_AT_ONCE, GLSORT_LANE, GLSORT_SCENE_KEY
// allows macros: GLSORT_COUNTS_DIGITS, GLSORT_END_BIT, GLSORT_FINISHES, GLSORT_FIRST_BIT, GLSORT_FRONT_ITEMS
// allows macros: GLSORT_ITEM_BITS

#include "lib/layout.glsl"
#include "scene/front_ranks.glsl"
#include "scene/front_record.glsl"
#include "scene/given_count.glsl"
#include "scene/stored_key.glsl"
#if defined(GLSORT_COUNTS_DIGITS)
#include "radix/digit_counts.glsl"
#endif
#if defined(GLSORT_FINISHES)
#include "lib/group_scan.glsl"
#include "scene/scene_results.glsl"
#if defined(GLSORT_COUNTS_DIGITS)
#include "radix/move_sums.glsl"
#endif
#endif

#pragma optionNV(unroll all)

uint glsort_visible = 0u;  // visible items of the front so far
uint glsort_leading = 0u;  // leading items of the front so far

// Handles one step: up to GLSORT_STEP elements from `begin` on. `first`: the first element of the portion. `end`: the
// end of its elements. `place`: of the front. `turn`: 0 or 1, alternately.
void glsort_add_step(uint begin, uint first, uint end, uint place, uint turn) {
    glsort_Stored mine[GLSORT_KEYS_AT_ONCE];
    uint seen = 0u;
    // Computes all keys first, so that their loads are issued at once. In place of elements behind the end, calls
    // `sort_key` for the last element.
    for (uint k = 0u; k < GLSORT_KEYS_AT_ONCE; ++k) {
        uint element = begin + glsort_element_of_step(k);
        GLSORT_SCENE_KEY key;
        bool visible = sort_key(min(element, end - 1u), key) && element < end;
        glsort_Stored stored = glsort_Stored(0u);
        if (visible) {
            seen |= 1u << k;
            stored = glsort_stored_key(key);
#if defined(GLSORT_ITEM_BITS)
            stored = stored << GLSORT_ITEM_BITS | (glsort_op_base + element);
#endif
        }
        // Outside of the branch, for softpipe, as in scene_key.glsl.
        mine[k] = stored;
    }
#if defined(GLSORT_COUNTS_DIGITS)
    for (uint k = 0u; k < GLSORT_KEYS_AT_ONCE; ++k)
        if ((seen >> k & 1u) != 0u) glsort_count_digits(glsort_code_of_key(mine[k]), GLSORT_FIRST_BIT, GLSORT_END_BIT);
#endif
    uint ranks[GLSORT_KEYS_AT_ONCE];
    uint total = glsort_rank_visible(seen, turn, ranks);
    bool leads = glsort_leading == begin - first && total == min(GLSORT_STEP, end - begin);
    for (uint k = 0u; k < GLSORT_KEYS_AT_ONCE; ++k) {
        if ((seen >> k & 1u) == 0u) continue;
        uint goal = place + glsort_visible + ranks[k];
        glsort_keys_scatter(goal, mine[k]);
#if defined(GLSORT_FRONT_ITEMS)
        if (!leads) glsort_items_scatter(goal, glsort_op_base + begin + glsort_element_of_step(k));
#endif
    }
    if (leads) glsort_leading += total;
    glsort_visible += total;
}

#if defined(GLSORT_FINISHES)
shared uint glsort_clamped;
shared uint glsort_groups_done;

// Runs only in the last group to be done.
void glsort_finish() {
    if (GLSORT_LANE == 0u) glsort_clamped = 0u;
    barrier();
    uint visible = 0u;
    for (uint first = 0u; first < glsort_op_fronts; first += GLSORT_GROUP_SIZE) {
        uint front = first + GLSORT_LANE;
        bool exists = front < glsort_op_fronts;
        uint word = exists ? glsort_fronts_load(glsort_front_word(front, GLSORT_OFFSET_WORD)) : 0u;
        if (word >= GLSORT_CLAMPED) atomicOr(glsort_clamped, 1u);
        uint total;
        uint before = glsort_group_scan(word & ~GLSORT_CLAMPED, GLSORT_GROUP_SIZE, total);
        if (exists) glsort_fronts_scatter(glsort_front_word(front, GLSORT_OFFSET_WORD), visible + before);
        visible += total;
        barrier();
    }
    uint behind = glsort_op_fronts + glsort_records_behind(glsort_op_fronts);
    for (uint front = glsort_op_fronts + GLSORT_LANE; front < behind; front += GLSORT_GROUP_SIZE)
        glsort_fronts_scatter(glsort_front_word(front, GLSORT_OFFSET_WORD), 0xffffffffu);
    if (GLSORT_LANE == 0u) {
        glsort_fronts_scatter(GLSORT_GROUPS_DONE_WORD, 0u);
        glsort_fronts_scatter(GLSORT_PORTION_WORD, glsort_op_portion);
    }
#if defined(GLSORT_COUNTS_DIGITS)
    glsort_move_sums();
#endif
    glsort_write_results(visible, glsort_clamped > 0u);
}
#endif

void glsort_kernel(glsort_Index instance) {
    uint given = glsort_given_count();
    uint group = instance - glsort_op_first_group;
    uint front = glsort_op_first_front + instance;
    uint first = group * glsort_op_portion;
    uint end = min(min(given, glsort_op_count), first + glsort_op_portion);
    uint place = glsort_op_base + first;
#if defined(GLSORT_COUNTS_DIGITS)
    glsort_clear_digit_counts();
    barrier();
#endif
    uint turn = 0u;
    for (uint begin = first; begin < end; begin += GLSORT_STEP) {
        glsort_add_step(begin, first, end, place, turn);
        turn ^= 1u;
    }
    if (GLSORT_LANE == 0u) {
        bool clamped = group == 0u && given > glsort_op_count;
        glsort_fronts_scatter(glsort_front_word(front, GLSORT_OFFSET_WORD),
                              glsort_visible | (clamped ? GLSORT_CLAMPED : 0u));
        glsort_fronts_scatter(glsort_front_word(front, GLSORT_PLACE_WORD), place);
#if defined(GLSORT_FRONT_ITEMS)
        glsort_fronts_scatter(glsort_front_word(front, GLSORT_END_OF_LEADING_WORD), place + glsort_leading);
#endif
    }
#if defined(GLSORT_COUNTS_DIGITS)
    uint status_end = min((front + 1u) * glsort_op_status_each, glsort_op_status);
    for (uint i = front * glsort_op_status_each + GLSORT_LANE; i < status_end; i += GLSORT_GROUP_SIZE)
        glsort_sort_status_scatter(i, 0u);
    barrier();
    glsort_add_digit_counts(instance);
#endif
#if defined(GLSORT_FINISHES)
    memoryBarrierBuffer();
    barrier();
    if (GLSORT_LANE == 0u) glsort_groups_done = glsort_fronts_add(GLSORT_GROUPS_DONE_WORD, 1u) + 1u;
    barrier();
    if (glsort_groups_done < glsort_op_groups) return;
    memoryBarrierBuffer();
    glsort_finish();
#endif
}
