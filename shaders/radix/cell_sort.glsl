// Sorts the elements of a group by cells: intervals of codes, all of equal width. Atomic additions count the elements
// of each cell, and give each element a place in its cell. Then each element counts the elements of its cell that
// come before. Most cells have one or two elements. If a cell has more than GLSORT_MAX_IN_CELL, the group sorts by
// digits.
//
// Elements with equal compared bits keep their order.
//
// expects parameters: shift
// expects macros: GLSORT_CELLS, GLSORT_CELL_BITS, GLSORT_DIGITS, GLSORT_DIGIT_BITS, GLSORT_ELEMENTS
// expects macros: GLSORT_GROUP_SIZE, GLSORT_KEY_WORDS, GLSORT_LANE, GLSORT_MAX_IN_CELL
// expects macros: GLSORT_TILE
// allows macros: GLSORT_SUBGROUPS_KHR
// ignores macros: GLSORT_PARTS, GLSORT_WHOLE_RECORDS

#include "lib/shared_tile.glsl"
#include "radix/code_difference.glsl"
#include "radix/compared_bits.glsl"
#include "radix/radix_rank.glsl"

// What the kernel does with a sorted element.
void glsort_store_sorted(uint rank, glsort_Element record);

// This sort does not need the number of elements of a digit.
void glsort_counted(uint count) {}

shared uint glsort_smallest;  // The highest words of the smallest and the largest code.
shared uint glsort_largest;
shared uint glsort_crowded;  // Whether a cell has too many elements.

#if GLSORT_KEY_WORDS == 1
uint glsort_top_word(glsort_Key code) { return code; }
#else
uint glsort_top_word(glsort_Key code) { return code.x; }
#endif

// In the memory for ranks, two in a word: the number of the element at each place, then the end of each cell.
const uint GLSORT_NUMBER_WORDS = GLSORT_TILE / 2u;
const uint GLSORT_CELL_WORDS = GLSORT_CELLS / 2u;
const uint GLSORT_WORDS_EACH = (GLSORT_CELL_WORDS - 1u) / GLSORT_GROUP_SIZE + 1u;

uint glsort_half_of(uint word, uint number) { return word >> 16u * (number % 2u) & 0xffffu; }
uint glsort_number_at(uint place) { return glsort_half_of(glsort_memory[place / 2u], place); }
uint glsort_end_of(uint cell) { return glsort_half_of(glsort_memory[GLSORT_NUMBER_WORDS + cell / 2u], cell); }

// Adds an element to a cell. Returns the number before.
uint glsort_add_to(uint cell) {
    return glsort_half_of(atomicAdd(glsort_memory[GLSORT_NUMBER_WORDS + cell / 2u], 1u << 16u * (cell % 2u)), cell);
}

// Bounds of the highest words of the codes that this invocation has put into slots.
uint glsort_own_smallest = GLSORT_NONE;
uint glsort_own_largest = 0u;

// Begins a sort: clears the numbers, the cells, the bounds, and the mark of a crowded cell. A barrier must follow.
void glsort_begin_cells() {
    uint words = GLSORT_NUMBER_WORDS + GLSORT_CELL_WORDS;
    for (uint i = GLSORT_LANE; i < words; i += GLSORT_GROUP_SIZE) glsort_memory[i] = 0u;
    if (GLSORT_LANE == 0u) {
        glsort_smallest = GLSORT_NONE;
        glsort_largest = 0u;
        glsort_crowded = 0u;
    }
    glsort_own_smallest = GLSORT_NONE;
    glsort_own_largest = 0u;
}

// Stores an element in a slot, to be sorted later, and extends this invocation's bounds.
void glsort_put_in_slot(uint slot, glsort_Element record) {
    glsort_slot_store(slot, record);
    uint word = glsort_top_word(glsort_compared(record));
    glsort_own_smallest = min(glsort_own_smallest, word);
    glsort_own_largest = max(glsort_own_largest, word);
}

// Makes the bounds of the codes tight.
void glsort_find_range(inout glsort_Key lowest, inout glsort_Key highest) {
    // Few invocations have something new to tell. The smallest word of all is also the smallest of its subgroup, or of
    // a part of this subgroup.
    if (glsort_own_smallest < glsort_smallest)
#if defined(GLSORT_SUBGROUPS_KHR)
        if (subgroupMin(glsort_own_smallest) == glsort_own_smallest)
#endif
            atomicMin(glsort_smallest, glsort_own_smallest);
    if (glsort_own_largest > glsort_largest)
#if defined(GLSORT_SUBGROUPS_KHR)
        if (subgroupMax(glsort_own_largest) == glsort_own_largest)
#endif
            atomicMax(glsort_largest, glsort_own_largest);
    barrier();
#if GLSORT_KEY_WORDS == 1
    lowest = glsort_smallest;
    highest = glsort_largest;
#else
    if (glsort_smallest > lowest.x) lowest = uvec2(glsort_smallest, 0u);
    if (glsort_largest < highest.x) highest = uvec2(glsort_largest, GLSORT_NONE);
#endif
}

// Replaces the number of elements in each cell by the first place of the cell.
void glsort_scan_cells() {
    // All invocations go through the loops equally often, for the scan is one of whole subgroups.
    uint first = GLSORT_LANE * GLSORT_WORDS_EACH;
    uint sum = 0u;
    uint most = 0u;
    for (uint i = first; i < first + GLSORT_WORDS_EACH; ++i) {
        uint word = i < GLSORT_CELL_WORDS ? glsort_memory[GLSORT_NUMBER_WORDS + i] : 0u;
        uvec2 counts = uvec2(word & 0xffffu, word >> 16u);
        sum += counts.x + counts.y;
        most = max(most, max(counts.x, counts.y));
    }
    if (most > GLSORT_MAX_IN_CELL) atomicMax(glsort_crowded, 1u);
    uint total;
    uint place = glsort_group_scan(sum, GLSORT_GROUP_SIZE, total);
    for (uint i = first; i < min(first + GLSORT_WORDS_EACH, GLSORT_CELL_WORDS); ++i) {
        uint word = glsort_memory[GLSORT_NUMBER_WORDS + i];
        glsort_memory[GLSORT_NUMBER_WORDS + i] = place | place + (word & 0xffffu) << 16u;
        place += (word & 0xffffu) + (word >> 16u);
    }
    barrier();
}

const uint GLSORT_COMPARED_AT_ONCE = 2u;

// Of the elements at places `begin` to `end` - 1: how many come before element `number` with the code. Loads of several
// elements are on their way at once.
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

// Sorts by digits the numbers of the elements, which stay where they are.
void glsort_sort_crowded(uint size, glsort_Key lowest, uint bits) {
    glsort_held = (size - 1u) / GLSORT_GROUP_SIZE + 1u;
    uint numbers[GLSORT_ELEMENTS];
    uint moved[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) numbers[k] = moved[k] = glsort_element_of(k);
    for (uint done = glsort_op_shift; done < bits; done += GLSORT_DIGIT_BITS) {
        glsort_clear_counts();
        barrier();
        glsort_Element digits[GLSORT_ELEMENTS];
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
            glsort_Key code = glsort_Key(GLSORT_NONE);
            if (k < glsort_held && numbers[k] < size)
                code = glsort_code_minus(glsort_compared(glsort_slot_load(numbers[k])), lowest);
            digits[k] = glsort_element_with(glsort_code_shifted(code, done) & (GLSORT_DIGITS - 1u));
        }
        glsort_Places places;
        uint smaller;
        glsort_rank_elements(digits, 0u, min(bits - done, GLSORT_DIGIT_BITS), places, smaller);
        // In two halves, for which there is room.
        for (uint first = 0u; first < GLSORT_TILE; first += GLSORT_NUMBER_WORDS) {
            for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
                uint place = glsort_place_of(places, k) - first;
                if (k < glsort_held && place < GLSORT_NUMBER_WORDS) glsort_memory[place] = numbers[k];
            }
            barrier();
            for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
                uint place = glsort_element_of(k) - first;
                if (k < glsort_held && place < GLSORT_NUMBER_WORDS) moved[k] = glsort_memory[place];
            }
            barrier();
        }
        numbers = moved;
    }
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        if (k >= glsort_held) break;
        uint place = glsort_element_of(k);
        if (place < size) glsort_store_sorted(place, glsort_slot_load(numbers[k]));
    }
}

// Sorts the elements in slots 0 to `size` - 1. All codes lie between `lowest` and `highest`. A barrier must separate
// two sorts.
//
// Loops over the elements of an invocation have few instructions, and a bound that the compiler does not know. So the
// compiler does not unroll these loops. A group goes through the code once, so fetching instructions takes a good part
// of the time (docs/experiments/radix.md).
void glsort_sort_by_cells(uint size, glsort_Key lowest, glsort_Key highest) {
    glsort_find_range(lowest, highest);
    uint bits = glsort_code_bits(glsort_code_minus(highest, lowest));
    uint shift = bits - min(bits, GLSORT_CELL_BITS);
#define GLSORT_CELL_OF(code) glsort_code_shifted(glsort_code_minus(code, lowest), shift)
    for (uint number = GLSORT_LANE; number < size; number += GLSORT_GROUP_SIZE)
        glsort_add_to(GLSORT_CELL_OF(glsort_compared(glsort_slot_load(number))));
    barrier();
    glsort_scan_cells();
    if (glsort_crowded != 0u) {
        glsort_sort_crowded(size, lowest, bits);
    } else {
        // The place of the next element of each cell becomes the end of the cell.
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
            uint begin = cell > 0u ? glsort_end_of(cell - 1u) : 0u;
            uint before = glsort_count_before(number, code, begin, glsort_end_of(cell));
            glsort_store_sorted(begin + before, record);
        }
    }
}
