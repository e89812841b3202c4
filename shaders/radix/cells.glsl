// The cells of a group that sorts elements: intervals of codes, all of equal width. Atomic additions count the elements
// of each cell, and give each element a place in its cell. Most cells have one or two elements.
//
// GLSORT_ONE_WORD: a word holds the number of an element and the rest of its code (radix/cell_words.glsl).
// expects macros: GLSORT_CELLS, GLSORT_GROUP_SIZE, GLSORT_KEY_WORDS, GLSORT_LANE, GLSORT_MAX_IN_CELL, GLSORT_TILE
// allows macros: GLSORT_ONE_WORD, GLSORT_SUBGROUPS_KHR

#include "lib/group_scan.glsl"
#include "lib/shared_tile.glsl"
#include "radix/compared_bits.glsl"
#include "radix/radix_memory.glsl"

shared uint glsort_smallest;  // The highest words of the smallest and the largest code.
shared uint glsort_largest;
shared uint glsort_crowded;  // Whether a cell has too many elements.

#if GLSORT_KEY_WORDS == 1
uint glsort_top_word(glsort_Key code) { return code; }
#else
uint glsort_top_word(glsort_Key code) { return code.x; }
#endif

// The memory for ranks holds halves of words. First come the numbers of elements, unless the tile has these. Then each
// cell has a half.
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
    // All invocations go through the first loop equally often, for the scan is one of whole subgroups.
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
