// Calls the caller's `sort_key` for each element, once. Each source is a block of the domain. Writes the keys to the slots of the items, and the marks of the
// tiles. Counts the digits of visible keys, and clears words of the sort's status
// (src/glsort/plan/scene/slot_kernels.h). GLSORT_FINISHES: the last group to be done moves the sums of digits to the
// totals of the sort, and writes the results.
//
// expects ports: marks, slots, sort_status, sums
// expects parameters: base, count, first_group, first_tile, groups, status, status_each, tiles, tiles_each
// expects macros: GLSORT_END_BIT, GLSORT_FIRST_BIT, GLSORT_GROUP_SIZE, GLSORT_KEYS_AT_ONCE
// expects macros: GLSORT_LANE, GLSORT_MARK_BITS, GLSORT_MARK_WORDS, GLSORT_SCENE_KEY
// expects macros: GLSORT_SCENE_TILE, GLSORT_SUBGROUP
// allows macros: GLSORT_FINISHES, GLSORT_ITEM_BITS

#include "lib/layout.glsl"
#include "lib/subgroup.glsl"
#include "radix/digit_counts.glsl"
#include "scene/given_count.glsl"
#include "scene/stored_key.glsl"
#if defined(GLSORT_FINISHES)
#include "lib/group_scan.glsl"
#include "radix/move_sums.glsl"
#include "scene/scene_results.glsl"
#endif

#pragma optionNV(unroll all)

// The mark of the tile that the element is in.
uint glsort_mark_of(uint element) {
    return (glsort_op_first_tile + element / GLSORT_SCENE_TILE) * GLSORT_MARK_WORDS;
}

// The bits of a subgroup, whose first element is `first`. Each invocation that begins a word writes the word.
void glsort_write_bits(uint first, glsort_Votes votes) {
    uint word = GLSORT_SUBGROUP_LANE / GLSORT_MARK_BITS;
    if (GLSORT_SUBGROUP_LANE % GLSORT_MARK_BITS > 0u) return;
#if GLSORT_SUBGROUP <= 32
    uint bits = votes;
#else
    uint bits = votes[word];
#endif
    glsort_marks_scatter(glsort_mark_of(first) + first % GLSORT_SCENE_TILE / GLSORT_MARK_BITS + word, bits);
}

// Elements from `first` on, which are GLSORT_GROUP_SIZE apart. `end`: of the group's slots. `count`: the end of the
// elements, not behind the end of the slots.
void glsort_write_slots(uint first, uint end, uint count) {
    uint place = glsort_op_first_tile * GLSORT_SCENE_TILE;
    glsort_Stored mine[GLSORT_KEYS_AT_ONCE];
    uint seen = 0u;
    // All keys first: their loads are issued at once. Elements behind the count are the last one.
    for (uint k = 0u; k < GLSORT_KEYS_AT_ONCE; ++k) {
        uint element = first + k * GLSORT_GROUP_SIZE;
        GLSORT_SCENE_KEY key;
        bool visible = sort_key(min(element, count - 1u), key) && element < count;
        mine[k] = glsort_Stored(0u);
        if (visible) {
            seen |= 1u << k;
            mine[k] = glsort_stored_key(key);
#if defined(GLSORT_ITEM_BITS)
            mine[k] = mine[k] << GLSORT_ITEM_BITS | (glsort_op_base + element);
#endif
        }
    }
    for (uint k = 0u; k < GLSORT_KEYS_AT_ONCE; ++k) {
        uint element = first + k * GLSORT_GROUP_SIZE;
        bool visible = (seen >> k & 1u) != 0u;
        glsort_Votes votes = glsort_votes_for(visible);
        // A subgroup has no elements on both sides of the end.
        if (element < end) glsort_write_bits(element - GLSORT_SUBGROUP_LANE, votes);
        if (element < count) glsort_slots_scatter(place + element, mine[k]);
        if (visible)
            glsort_count_digits(glsort_code_of_key(mine[k]), GLSORT_FIRST_BIT, GLSORT_END_BIT);
    }
}

// A part without elements has no visible items.
void glsort_write_no_bits(uint first, uint end) {
    for (uint k = 0u; k < GLSORT_KEYS_AT_ONCE; ++k) {
        uint element = first + k * GLSORT_GROUP_SIZE;
        if (element < end) glsort_write_bits(element - GLSORT_SUBGROUP_LANE, glsort_Votes(0u));
    }
}

#if defined(GLSORT_FINISHES)
shared uint glsort_groups_done;

// In the last group.
void glsort_finish() {
    uint mine = glsort_move_sums();
    bool clamped = glsort_sums_load(GLSORT_COLUMNS) > 0u;
    uint visible;
    glsort_group_scan(mine, GLSORT_GROUP_SIZE, visible);
    // The scan has barriers: every invocation has read the word.
    if (GLSORT_LANE < 2u) glsort_sums_scatter(GLSORT_COLUMNS + GLSORT_LANE, 0u);
    glsort_write_results(visible, clamped);
}
#endif

void glsort_kernel(glsort_Index instance) {
    uint given = glsort_given_count();
    uint count = min(given, glsort_op_count);
    uint group = instance - glsort_op_first_group;
    uint first_tile = group * glsort_op_tiles_each;
    uint end_tile = min(first_tile + glsort_op_tiles_each, glsort_op_tiles);
    uint end = end_tile * GLSORT_SCENE_TILE;
    uint existing = min(count, end);
    glsort_clear_digit_counts();
    barrier();
    uint lane = GLSORT_SUBGROUP_NUMBER * uint(GLSORT_SUBGROUP) + GLSORT_SUBGROUP_LANE;
    for (uint first = first_tile * GLSORT_SCENE_TILE; first < end; first += GLSORT_KEYS_AT_ONCE * GLSORT_GROUP_SIZE) {
        if (first < existing) glsort_write_slots(first + lane, end, existing);
        else glsort_write_no_bits(first + lane, end);
    }
    for (uint i = first_tile + GLSORT_LANE; i < end_tile; i += GLSORT_GROUP_SIZE)
        glsort_marks_scatter((glsort_op_first_tile + i + 1u) * GLSORT_MARK_WORDS - 1u,
                             glsort_op_base + i * GLSORT_SCENE_TILE);
    barrier();
    glsort_add_digit_counts(instance);
    if (group == 0u && GLSORT_LANE == 0u && given > glsort_op_count) glsort_sums_add(GLSORT_COLUMNS, 1u);
    uint status_end = min((glsort_op_first_tile + end_tile) * glsort_op_status_each, glsort_op_status);
    for (uint i = (glsort_op_first_tile + first_tile) * glsort_op_status_each + GLSORT_LANE; i < status_end;
         i += GLSORT_GROUP_SIZE)
        glsort_sort_status_scatter(i, 0u);
#if defined(GLSORT_FINISHES)
    memoryBarrierBuffer();
    barrier();
    if (GLSORT_LANE == 0u) glsort_groups_done = glsort_sums_add(GLSORT_COLUMNS + 1u, 1u) + 1u;
    barrier();
    if (glsort_groups_done < glsort_op_groups) return;
    memoryBarrierBuffer();
    glsort_finish();
#endif
}
