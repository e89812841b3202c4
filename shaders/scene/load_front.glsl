// The load chunk of a sort that reads the keys of a scene from their fronts (src/glsort/plan/scene/front_source.h).
//
// GLSORT_RUNS: also loads all elements of an invocation at once, where subgroups have runs of neighbours.
//
// expects ports: front_keys, fronts
// allows ports: front_items
// expects macros: GLSORT_ELEMENT_WORDS, GLSORT_KEY_WORDS
// allows macros: GLSORT_ELEMENTS, GLSORT_FRONT_ITEMS, GLSORT_PORTION, GLSORT_RUNS, GLSORT_SUBGROUP

#include "lib/element.glsl"
#include "scene/front_record.glsl"
#if defined(GLSORT_RUNS)
#include "lib/subgroup.glsl"
#endif

// Max items of a portion.
#if defined(GLSORT_PORTION)
uint glsort_portion() { return GLSORT_PORTION; }
#else
uint glsort_portion() { return glsort_fronts_gather(GLSORT_PORTION_WORD); }
#endif

uint glsort_offset_of(uint front) { return glsort_fronts_gather(glsort_front_word(front, GLSORT_OFFSET_WORD)); }

// The front that has element `number`. The search begins at front `number` / portion. No earlier front can have the
// element, because each front has at most a portion of items. Steps double until a step goes too far. Then steps halve.
uint glsort_front_with(uint number) {
    uint front = number / glsort_portion();
    uint step = 1u;
    for (; glsort_offset_of(front + step) <= number; step *= 2u) front += step;
    for (step /= 2u; step > 0u; step /= 2u)
        if (glsort_offset_of(front + step) <= number) front += step;
    return front;
}

// The element whose key lies at `place`. `leads`: the item leads, so `place` is also the number of the item
// (src/glsort/plan/scene/front_kernels.h).
glsort_Element glsort_element_at(uint number, uint place, bool leads) {
    glsort_Key code = glsort_code_of_key(glsort_front_keys_gather(place));
#if GLSORT_ELEMENT_WORDS == GLSORT_KEY_WORDS
    return code;
#elif defined(GLSORT_FRONT_ITEMS)
    // Loads outside of any branch are issued at once. All leading items load the same word.
    uint item = glsort_front_items_gather(leads ? 0u : place);
    return glsort_Element(code, leads ? place : item);
#else
    return glsort_Element(code, number);
#endif
}

glsort_Element glsort_load(uint number) {
    uint front = glsort_front_with(number);
    uint place = number - glsort_offset_of(front) + glsort_fronts_gather(glsort_front_word(front, GLSORT_PLACE_WORD));
    return glsort_element_at(
        number, place, place < glsort_fronts_gather(glsort_front_word(front, GLSORT_END_OF_LEADING_WORD)));
}

#if defined(GLSORT_RUNS)
// Neighbouring fronts, of which each invocation of a subgroup knows one.
struct glsort_Neighbours {
    uint offset;
    uint shift;  // place minus number, for the elements of the front
    uint end_of_leading;
    uint begun;      // how many of the fronts begin with `first` or before
    uint begun_all;  // how many of the fronts begin with `last` or before
};

glsort_Neighbours glsort_neighbours_from(uint front, uint first, uint last) {
    glsort_Neighbours found;
    uint mine = front + GLSORT_SUBGROUP_LANE;
    found.offset = glsort_offset_of(mine);
    found.shift = glsort_fronts_gather(glsort_front_word(mine, GLSORT_PLACE_WORD)) - found.offset;
    found.end_of_leading = glsort_fronts_gather(glsort_front_word(mine, GLSORT_END_OF_LEADING_WORD));
    found.begun = glsort_vote_count(glsort_votes_for(found.offset <= first));
    found.begun_all = glsort_vote_count(glsort_votes_for(found.offset <= last));
    return found;
}

const uint GLSORT_STORED_ITEM = 0x80000000u;  // of a place

// The places of the elements `numbers` that lie in fronts from `front` on. A place has the bit GLSORT_STORED_ITEM if
// the number of its item is stored.
void glsort_find_places(uint front, uint first, uint last, uint numbers[GLSORT_ELEMENTS],
                        out uint places[GLSORT_ELEMENTS]) {
    for (bool more = true; more; front += uint(GLSORT_SUBGROUP)) {
        glsort_Neighbours found = glsort_neighbours_from(front, first, last);
        // From its offset on, a later front replaces the places of earlier fronts.
        for (uint i = max(found.begun, 1u) - 1u; i < found.begun_all; ++i) {
            uint offset = glsort_value_of(found.offset, i);
            uint shift = glsort_value_of(found.shift, i);
            uint end_of_leading = glsort_value_of(found.end_of_leading, i);
            for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
                uint place = numbers[k] + shift;
                if (place >= end_of_leading) place |= GLSORT_STORED_ITEM;
                places[k] = numbers[k] < offset ? places[k] : place;
            }
        }
        more = found.begun_all == uint(GLSORT_SUBGROUP);
    }
}

// Loads the elements of an invocation, which are GLSORT_SUBGROUP apart. The elements of its subgroup begin at element
// `first`. In place of elements from `count` on, loads the last element.
void glsort_load_run(uint first, uint count, out glsort_Element mine[GLSORT_ELEMENTS]) {
    uint last = min(first + GLSORT_ELEMENTS * uint(GLSORT_SUBGROUP), count) - 1u;
    first = min(first, last);
    uint numbers[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        numbers[k] = min(first + k * uint(GLSORT_SUBGROUP) + GLSORT_SUBGROUP_LANE, last);
    // No front has more items than a portion, so no earlier front has element `first`.
    uint front = first / glsort_portion();
    glsort_Neighbours found = glsort_neighbours_from(front, first, last);
    if (found.begun > 0u && found.begun_all <= found.begun + 1u && found.begun_all < uint(GLSORT_SUBGROUP)) {
        // Usually the run lies in one front, or in two.
        uint a = found.begun - 1u;
        uint b = found.begun_all - 1u;
        uint offset_b = glsort_value_of(found.offset, b);
        uint shift_a = glsort_value_of(found.shift, a);
        uint shift_b = glsort_value_of(found.shift, b);
        uint leading_a = glsort_value_of(found.end_of_leading, a);
        uint leading_b = glsort_value_of(found.end_of_leading, b);
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
            bool in_b = numbers[k] >= offset_b;
            uint place = numbers[k] + (in_b ? shift_b : shift_a);
            mine[k] = glsort_element_at(numbers[k], place, place < (in_b ? leading_b : leading_a));
        }
    } else {
        uint places[GLSORT_ELEMENTS];
        glsort_find_places(front, first, last, numbers, places);
        for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
            mine[k] = glsort_element_at(numbers[k], places[k] & ~GLSORT_STORED_ITEM, places[k] < GLSORT_STORED_ITEM);
    }
}
#endif
