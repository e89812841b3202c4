// Sorts the elements of a group by cells. An invocation compares an element with the others of the cell, and counts
// those that come before. Cells hold numbers of elements. A number leads to the element's code in the tile.
//
// Elements with equal compared bits keep their order.
//
// expects macros: GLSORT_CELL_BITS, GLSORT_GROUP_SIZE, GLSORT_LANE

#include "lib/shared_tile.glsl"
#include "radix/cells.glsl"
#include "radix/code_difference.glsl"
#include "radix/code_shifted.glsl"
#include "radix/compared_bits.glsl"
#include "radix/crowded_cells.glsl"

// The number of the element at a place of the cells.
uint glsort_number_at(uint place) { return glsort_half_of(glsort_memory[place / 2u], place); }

const uint GLSORT_COMPARED_AT_ONCE = 2u;

// How many of the elements at places `begin` to `end` - 1 come before element `number`, whose compared bits are `code`.
// Several loads are on their way at once.
uint glsort_count_before(uint number, glsort_Key code, uint begin, uint end) {
    uint before = 0u;
    for (uint first = begin; first < end; first += GLSORT_COMPARED_AT_ONCE) {
        uint numbers[GLSORT_COMPARED_AT_ONCE];
        glsort_Key codes[GLSORT_COMPARED_AT_ONCE];
        for (uint k = 0u; k < GLSORT_COMPARED_AT_ONCE; ++k) numbers[k] = glsort_number_at(min(first + k, end - 1u));
        for (uint k = 0u; k < GLSORT_COMPARED_AT_ONCE; ++k)
            codes[k] = glsort_compared(glsort_slot_load(numbers[k]));
        for (uint k = 0u; k < GLSORT_COMPARED_AT_ONCE; ++k) {
            bool precedes = glsort_key_precedes(codes[k], code) || (codes[k] == code && numbers[k] < number);
            before += uint(precedes && first + k < end);
        }
    }
    return before;
}

// Sorts the elements in slots 0 to `size` - 1. All codes lie between `lowest` and `highest`. A barrier must separate
// two sorts.
//
// Loops over the elements of an invocation are short, and the compiler does not know their bound. So the compiler does
// not unroll these loops. A group goes through the code once, and waits while instructions are fetched. Unrolled loops
// would have more instructions (docs/experiments/radix.md).
void glsort_sort_by_cells(uint size, glsort_Key lowest, glsort_Key highest) {
    uint bits = glsort_code_bits(glsort_code_minus(highest, lowest));
    uint shift = bits - min(bits, GLSORT_CELL_BITS);
#define GLSORT_CELL_OF(code) glsort_code_shifted(glsort_code_minus(code, lowest), shift)
    for (uint number = GLSORT_LANE; number < size; number += GLSORT_GROUP_SIZE)
        glsort_put_in_cell(GLSORT_CELL_OF(glsort_compared(glsort_slot_load(number))));
    barrier();
    glsort_scan_cells();
    if (glsort_crowded != 0u) {
        glsort_sort_crowded(size);
        for (uint place = GLSORT_LANE; place < size; place += GLSORT_GROUP_SIZE)
            glsort_store_sorted(place, glsort_slot_load(place));
    } else {
        // The half of a cell is the place of the cell's next element. After all additions the half is the end of the
        // cell.
        for (uint number = GLSORT_LANE; number < size; number += GLSORT_GROUP_SIZE) {
            uint place = glsort_add_to(GLSORT_CELL_OF(glsort_compared(glsort_slot_load(number))));
            atomicOr(glsort_memory[place / 2u], number << 16u * (place % 2u));
        }
        barrier();
        for (uint place = GLSORT_LANE; place < size; place += GLSORT_GROUP_SIZE) {
            uint number = glsort_number_at(place);
            glsort_Element record = glsort_slot_load(number);
            glsort_Key code = glsort_compared(record);
            uint cell = GLSORT_CELL_OF(code);
            uint begin = cell > 0u ? glsort_in_cell(cell - 1u) : 0u;
            uint before = glsort_count_before(number, code, begin, glsort_in_cell(cell));
            glsort_store_sorted(begin + before, record);
        }
    }
}
