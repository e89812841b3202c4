// Moves the elements of a partition to their places, tile by tile. A tile is first sorted by the digit in shared
// memory, so that neighbours go to neighbouring places.
//
// expects ports: offsets, source, target
// expects parameters: bits, count, length, shift, parts
// expects macros: GLSORT_DIGITS, GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_TILE
// allows macros: GLSORT_STORED_APART, GLSORT_SUBGROUP

#if defined(GLSORT_SUBGROUP)
#include "lib/layout.glsl"
#include "radix/radix_move.glsl"
#else
#include "radix/radix_tile.glsl"
#endif

#if defined(GLSORT_SUBGROUP)
uint glsort_goal_of_next = 0u;  // destination of the next element of digit GLSORT_LANE

void glsort_counted(uint count) {}
#if defined(GLSORT_STORED_APART)
void glsort_move_first(uint goal, glsort_Element record) { glsort_target_scatter_key(goal, record); }
void glsort_move_rest(uint goal, glsort_Element record) { glsort_target_scatter_value(goal, record); }
#else
void glsort_move_first(uint goal, glsort_Element record) { glsort_target_scatter(goal, record); }
void glsort_move_rest(uint goal, glsort_Element record) {}
#endif

void glsort_start(uint number) {
    if (GLSORT_LANE < GLSORT_DIGITS)
        glsort_goal_of_next = glsort_offsets_gather(GLSORT_LANE * glsort_op_parts + number);
}

void glsort_move_tile(uint first, uint end) {
    glsort_clear_counts();
    glsort_Element mine[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint element = first + glsort_element_of(k);
        mine[k] = element < end ? glsort_source_gather(element) : GLSORT_MISSING;
    }
    barrier();
    glsort_Places places;
    uint smaller;
    uint count = glsort_rank_elements(mine, glsort_op_shift, glsort_op_bits, places, smaller);
    glsort_store_part(0u, mine, places);
    if (GLSORT_LANE < GLSORT_DIGITS) glsort_digit_shift[GLSORT_LANE] = glsort_goal_of_next - smaller;
    glsort_goal_of_next += count;
    barrier();
    glsort_move_elements(mine, places, min(end - first, GLSORT_TILE));
    barrier();
}

#else
shared uint glsort_next_place[GLSORT_DIGITS];  // destination of the next element of each digit
shared uint glsort_shift_of[GLSORT_DIGITS];    // from a place in the tile to its destination

void glsort_start(uint number) {
    for (uint digit = GLSORT_LANE; digit < GLSORT_DIGITS; digit += GLSORT_GROUP_SIZE)
        glsort_next_place[digit] = glsort_offsets_gather(digit * glsort_op_parts + number);
}

void glsort_move_tile(uint first, uint end) {
    // Missing elements of the last tile come last. Each has the largest digit, so the stable sort keeps this order.
    uint size = min(end - first, GLSORT_TILE);
    for (uint place = GLSORT_LANE; place < GLSORT_TILE; place += GLSORT_GROUP_SIZE)
        glsort_tile_store(place, place < size ? glsort_source_gather(first + place) : GLSORT_MISSING);
    glsort_sort_tile(glsort_op_shift, glsort_op_bits);
    for (uint place = GLSORT_LANE; place < size; place += GLSORT_GROUP_SIZE) {
        uint digit = glsort_digit_of(glsort_tile_load(place), glsort_op_shift, glsort_op_bits);
        bool opens =
            place == 0u || glsort_digit_of(glsort_tile_load(place - 1u), glsort_op_shift, glsort_op_bits) != digit;
        if (opens) glsort_shift_of[digit] = glsort_next_place[digit] - place;
    }
    barrier();
    for (uint place = GLSORT_LANE; place < size; place += GLSORT_GROUP_SIZE) {
        glsort_Element record = glsort_tile_load(place);
        uint digit = glsort_digit_of(record, glsort_op_shift, glsort_op_bits);
        uint goal = glsort_shift_of[digit] + place;
        glsort_target_scatter(goal, record);
        bool closes = place + 1u == size ||
                      glsort_digit_of(glsort_tile_load(place + 1u), glsort_op_shift, glsort_op_bits) != digit;
        if (closes) glsort_next_place[digit] = goal + 1u;
    }
    barrier();
}
#endif

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    glsort_start(number);
    uint begin = number * glsort_op_length;
    uint end = min(begin + glsort_op_length, glsort_op_count);
    for (uint first = begin; first < end; first += GLSORT_TILE) glsort_move_tile(first, end);
}
