// The cells of a group that sorts elements: intervals of codes, all of equal width. Atomic additions count the elements
// of each cell, and give each element a place in its cell. Most cells have at most two elements.
//
// GLSORT_ONE_WORD: a word holds the number of an element and the rest of its code (radix/cell_words.glsl).
// expects macros: GLSORT_CELLS, GLSORT_GROUP_SIZE, GLSORT_KEY_WORDS, GLSORT_LANE, GLSORT_MAX_IN_CELL, GLSORT_TILE
// allows macros: GLSORT_ONE_WORD

#include "lib/group_scan.glsl"
#include "lib/shared_tile.glsl"
#include "radix/compared_bits.glsl"
#include "radix/radix_memory.glsl"

shared uint glsort_smallest;  // The highest words of the smallest and the largest code.
shared uint glsort_largest;
shared uint glsort_crowded;  // Whether a cell has too many elements.

// What the kernel does with a sorted element.
void glsort_store_sorted(uint rank, glsort_Element record);

#if GLSORT_KEY_WORDS == 1
uint glsort_top_word(glsort_Key code) { return code; }
#else
uint glsort_top_word(glsort_Key code) { return code.x; }
#endif

// The words of glsort_memory are used in halves. First come the numbers of elements, unless words in the tile hold the
// numbers. Then each cell has a half.
#if defined(GLSORT_ONE_WORD)
const uint GLSORT_NUMBER_WORDS = 0u;
#else
const uint GLSORT_NUMBER_WORDS = GLSORT_TILE / 2u;
#endif
const uint GLSORT_CELL_WORDS = GLSORT_CELLS / 2u;
const uint GLSORT_WORDS_EACH = (GLSORT_CELL_WORDS - 1u) / GLSORT_GROUP_SIZE + 1u;

uint glsort_half_of(uint word, uint number) { return word >> 16u * (number % 2u) & 0xffffu; }
// The half of a cell: first the count of its elements, later a place.
uint glsort_in_cell(uint cell) { return glsort_half_of(glsort_memory[GLSORT_NUMBER_WORDS + cell / 2u], cell); }

// Adds one to the half of a cell. Returns what the half was before.
uint glsort_add_to(uint cell) {
    return glsort_half_of(atomicAdd(glsort_memory[GLSORT_NUMBER_WORDS + cell / 2u], 1u << 16u * (cell % 2u)), cell);
}

// Begins a sort: clears the numbers, the cells, the bounds, and the mark of a crowded cell. A barrier must follow.
void glsort_begin_cells() {
    uint words = GLSORT_NUMBER_WORDS + GLSORT_CELL_WORDS;
    for (uint i = GLSORT_LANE; i < words; i += GLSORT_GROUP_SIZE) glsort_memory[i] = 0u;
    if (GLSORT_LANE == 0u) {
        glsort_smallest = GLSORT_NONE;
        glsort_largest = 0u;
        glsort_crowded = 0u;
    }
}

// Tightens `lowest` and `highest`, which must already be bounds of the codes in slots 0 to `size` - 1. If codes have
// two words, only the high words become tight.
void glsort_find_range(uint size, inout glsort_Key lowest, inout glsort_Key highest) {
    uint smallest = GLSORT_NONE;
    uint largest = 0u;
    for (uint slot = GLSORT_LANE; slot < size; slot += GLSORT_GROUP_SIZE) {
        uint word = glsort_top_word(glsort_compared(glsort_slot_load(slot)));
        smallest = min(smallest, word);
        largest = max(largest, word);
    }
    // Most invocations find no new bound, and need no atomic operation.
    if (smallest < glsort_smallest) atomicMin(glsort_smallest, smallest);
    if (largest > glsort_largest) atomicMax(glsort_largest, largest);
    barrier();
#if GLSORT_KEY_WORDS == 1
    lowest = glsort_smallest;
    highest = glsort_largest;
#else
    if (glsort_smallest > lowest.x) lowest = uvec2(glsort_smallest, 0u);
    if (glsort_largest < highest.x) highest = uvec2(glsort_largest, GLSORT_NONE);
#endif
}

// Adds an element to a cell. Returns the number of elements that the cell had.
uint glsort_put_in_cell(uint cell) {
    uint others = glsort_add_to(cell);
    if (others == GLSORT_MAX_IN_CELL) glsort_crowded = 1u;
    return others;
}

// Replaces the number of elements in each cell by the first place of the cell.
void glsort_scan_cells() {
    // Invocations without cells go through the loops, too, since the scan may need whole subgroups.
    uint first = GLSORT_LANE * GLSORT_WORDS_EACH;
    uint words[GLSORT_WORDS_EACH];
    uint sum = 0u;
    for (uint i = 0u; i < GLSORT_WORDS_EACH; ++i) {
        bool is_cell = GLSORT_CELL_WORDS % GLSORT_GROUP_SIZE == 0u || first + i < GLSORT_CELL_WORDS;
        words[i] = is_cell ? glsort_memory[GLSORT_NUMBER_WORDS + first + i] : 0u;
        sum += (words[i] & 0xffffu) + (words[i] >> 16u);
    }
    uint total;
    uint place = glsort_group_scan(sum, GLSORT_GROUP_SIZE, total);
    for (uint i = 0u; i < GLSORT_WORDS_EACH; ++i) {
        uint second = place + (words[i] & 0xffffu);
        if (GLSORT_CELL_WORDS % GLSORT_GROUP_SIZE == 0u || first + i < GLSORT_CELL_WORDS)
            glsort_memory[GLSORT_NUMBER_WORDS + first + i] = place | second << 16u;
        place = second + (words[i] >> 16u);
    }
    barrier();
}
