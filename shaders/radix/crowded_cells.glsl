// Sorts all elements of a group by merging. A group needs this sort if one of its cells has too many elements. Such
// groups are rare, so short code matters more than fast code: long code slows down all other groups
// (docs/experiments/radix.md).
//
// Elements with equal compared bits keep their order.
//
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE

#include "lib/shared_tile.glsl"
#include "radix/compared_bits.glsl"

// The place of the element in slot `place` after a merge of neighbouring runs of `run` slots.
uint glsort_merged_place(uint place, uint run, uint size) {
    uint own = place / run * run;
    bool left = place / run % 2u == 0u;
    uint begin = left ? min(own + run, size) : own - run;
    uint low = begin;
    uint high = min(begin + run, size);
    glsort_Key code = glsort_compared(glsort_slot_load(place));
    while (low < high) {
        uint middle = (low + high) / 2u;
        glsort_Key met = glsort_compared(glsort_slot_load(middle));
        if (left ? glsort_key_precedes(met, code) : !glsort_key_precedes(code, met)) low = middle + 1u;
        else high = middle;
    }
    return left ? place + low - begin : low + place - own;
}

// Sorts the elements in slots 0 to `size` - 1.
void glsort_sort_crowded(uint size) {
    for (uint run = 1u; run < size; run *= 2u) {
        glsort_Element records[GLSORT_ELEMENTS];
        uint places[GLSORT_ELEMENTS];
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
            uint place = GLSORT_LANE + k * GLSORT_GROUP_SIZE;
            if (place >= size) break;
            records[k] = glsort_slot_load(place);
            places[k] = glsort_merged_place(place, run, size);
        }
        barrier();
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
            if (GLSORT_LANE + k * GLSORT_GROUP_SIZE >= size) break;
            glsort_slot_store(places[k], records[k]);
        }
        barrier();
    }
}
