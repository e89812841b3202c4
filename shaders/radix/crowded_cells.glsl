// Sorts all elements of a group by digits. A group needs this sort if one of its cells has too many elements.
//
// Elements with equal compared bits keep their order.
//
// expects parameters: shift
// expects macros: GLSORT_DIGITS, GLSORT_DIGIT_BITS, GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_TILE
// ignores macros: GLSORT_PARTS, GLSORT_WHOLE_RECORDS

#include "lib/shared_tile.glsl"
#include "radix/code_difference.glsl"
#include "radix/compared_bits.glsl"
#include "radix/radix_rank.glsl"

// What the kernel does with a sorted element.
void glsort_store_sorted(uint rank, glsort_Element record);

// This sort does not need the number of elements of a digit.
void glsort_counted(uint count) {}

// Numbers are exchanged in two halves, for which there is room.
const uint GLSORT_EXCHANGED = GLSORT_TILE / 2u;

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
        for (uint first = 0u; first < GLSORT_TILE; first += GLSORT_EXCHANGED) {
            for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
                uint place = glsort_place_of(places, k) - first;
                if (k < glsort_held && place < GLSORT_EXCHANGED) glsort_memory[place] = numbers[k];
            }
            barrier();
            for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
                uint place = glsort_element_of(k) - first;
                if (k < glsort_held && place < GLSORT_EXCHANGED) moved[k] = glsort_memory[place];
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
