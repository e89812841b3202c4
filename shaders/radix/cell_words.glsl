// Sorts the elements of a group by cells, for codes of one word. There are at least as many cells as a tile has
// elements. So a word has room for the number of an element, and for the bits of the code that the cell does not give.
// In a cell, the order of these words is the order of the elements.
//
// Elements with equal compared bits keep their order.
//
// expects macros: GLSORT_CELLS, GLSORT_CELL_BITS, GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE

#include "lib/shared_tile.glsl"
#include "radix/cells.glsl"
#include "radix/code_difference.glsl"
#include "radix/code_shifted.glsl"
#include "radix/compared_bits.glsl"
#include "radix/crowded_cells.glsl"

// The first place of a cell. `size`: the place behind the last cell.
uint glsort_begin_of(uint cell, uint size) { return cell < GLSORT_CELLS ? glsort_in_cell(cell) : size; }

// How many of the words at places `begin` to `end` - 1 are smaller than `word`. Two loads are on their way at once.
uint glsort_words_before(uint word, uint begin, uint end) {
    uint before = 0u;
    for (uint place = begin; place < end; place += 2u) {
        uint first = glsort_tile[place];
        uint second = glsort_tile[min(place + 1u, end - 1u)];
        before += uint(first < word) + uint(place + 1u < end && second < word);
    }
    return before;
}

// Sorts the elements in slots 0 to `size` - 1. All codes lie between `lowest` and `highest`. A barrier must separate
// two sorts.
void glsort_sort_by_cells(uint size, glsort_Key lowest, glsort_Key highest) {
    uint bits = glsort_code_bits(glsort_code_minus(highest, lowest));
    uint shift = bits - min(bits, GLSORT_CELL_BITS);
    // The elements of an invocation stay in its registers while the words lie in the tile.
    glsort_Element records[GLSORT_ELEMENTS];
    uint places[GLSORT_ELEMENTS];
#define GLSORT_NUMBER(k) (GLSORT_LANE + (k) * GLSORT_GROUP_SIZE)
#define GLSORT_CODE(k) glsort_code_minus(glsort_compared(records[k]), lowest)
#define GLSORT_CELL(k) glsort_code_shifted(GLSORT_CODE(k), shift)
#define GLSORT_CELL_WORD(k) (GLSORT_CODE(k) << GLSORT_CELL_BITS | GLSORT_NUMBER(k))
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        if (GLSORT_NUMBER(k) >= size) break;
        records[k] = glsort_slot_load(GLSORT_NUMBER(k));
        places[k] = glsort_put_in_cell(GLSORT_CELL(k));
    }
    barrier();
    glsort_scan_cells();
    if (glsort_crowded != 0u) {
        glsort_sort_crowded(size);
    } else {
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
            if (GLSORT_NUMBER(k) >= size) break;
            glsort_tile[glsort_in_cell(GLSORT_CELL(k)) + places[k]] = GLSORT_CELL_WORD(k);
        }
        barrier();
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
            if (GLSORT_NUMBER(k) >= size) break;
            uint cell = GLSORT_CELL(k);
            uint begin = glsort_in_cell(cell);
            places[k] = begin + glsort_words_before(GLSORT_CELL_WORD(k), begin, glsort_begin_of(cell + 1u, size));
        }
        barrier();
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
            if (GLSORT_NUMBER(k) >= size) break;
            glsort_slot_store(places[k], records[k]);
        }
        barrier();
    }
    // Neighbouring invocations store neighbouring elements.
    for (uint place = GLSORT_LANE; place < size; place += GLSORT_GROUP_SIZE)
        glsort_store_sorted(place, glsort_slot_load(place));
}
