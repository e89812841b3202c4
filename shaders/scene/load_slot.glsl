// The load chunk of a sweep that reads the keys of a scene from their slots (src/glsort/plan/scene/slot_source.h).
//
// expects ports: marks, slots
// expects macros: GLSORT_ELEMENTS, GLSORT_ELEMENT_WORDS, GLSORT_KEY_WORDS, GLSORT_MARK_BITS
// expects macros: GLSORT_MARK_WORDS, GLSORT_SCENE_TILE, GLSORT_SUBGROUP
// ignores macros: GLSORT_MARKED

#include "radix/radix_rank.glsl"

// The word of the marks that has the bit of a slot.
uint glsort_mark_word(uint slot) {
    return glsort_marks_gather(slot / GLSORT_SCENE_TILE * GLSORT_MARK_WORDS +
                               slot % GLSORT_SCENE_TILE / GLSORT_MARK_BITS);
}

// Whether the item of a slot is visible.
bool glsort_slot_is_taken(uint slot) { return (glsort_mark_word(slot) >> slot % GLSORT_MARK_BITS & 1u) != 0u; }

// Items are numbered as slots, but each source begins with a new tile of slots. The last word of a mark is the number of
// the first item of the tile.
uint glsort_first_item(uint slot) {
    return glsort_marks_gather(slot / GLSORT_SCENE_TILE * GLSORT_MARK_WORDS + GLSORT_MARK_WORDS - 1u);
}

// `item`: the number of the item.
glsort_Element glsort_element_in(uint slot, uint item) {
    glsort_Key code = glsort_code_of_key(glsort_slots_gather(slot));
#if GLSORT_ELEMENT_WORDS == GLSORT_KEY_WORDS
    return code;
#else
    return glsort_Element(code, item);
#endif
}

uint glsort_item_in(uint slot) { return glsort_first_item(slot) + slot % GLSORT_SCENE_TILE; }

glsort_Element glsort_load(uint slot) { return glsort_element_in(slot, glsort_item_in(slot)); }

// The slots of a subgroup are a run of neighbours. If the run is in one tile of the scene, one load gives all items.
const uint GLSORT_RUN = GLSORT_ELEMENTS * uint(GLSORT_SUBGROUP);
const bool GLSORT_RUN_IN_TILE = GLSORT_SCENE_TILE % GLSORT_RUN == 0u;

// The words of the run's marks. Each invocation loads some words, and asks others for theirs.
const uint GLSORT_ROW_WORDS = (uint(GLSORT_SUBGROUP) + GLSORT_MARK_BITS - 1u) / GLSORT_MARK_BITS;
const uint GLSORT_RUN_WORDS = GLSORT_ELEMENTS * GLSORT_ROW_WORDS;
const uint GLSORT_WORDS_EACH = (GLSORT_RUN_WORDS + uint(GLSORT_SUBGROUP) - 1u) / uint(GLSORT_SUBGROUP);
const uint GLSORT_ALL_TAKEN = 0xffffffffu >> (32u - GLSORT_MARK_BITS);

// Which elements of the invocation are there. `run`: the first slot. `size`: existing slots, from slot `run` on.
uint glsort_taken_of(uint run, uint size) {
    uint words[GLSORT_WORDS_EACH];
    bool all_taken = true;
    for (uint i = 0u; i < GLSORT_WORDS_EACH; ++i) {
        uint number = min(i * uint(GLSORT_SUBGROUP) + GLSORT_SUBGROUP_LANE, GLSORT_RUN_WORDS - 1u);
        words[i] = glsort_mark_word(run + min(number * GLSORT_MARK_BITS, size - 1u));
        all_taken = all_taken && words[i] == GLSORT_ALL_TAKEN;
    }
    // Usually most items are visible.
    if (glsort_votes_for(all_taken) == GLSORT_EVERYONE && size >= GLSORT_RUN) return 0xffffffffu;
    uint taken = 0u;
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint first = k * GLSORT_ROW_WORDS;
        uint word = glsort_value_of(words[first / uint(GLSORT_SUBGROUP)],
                                    first % uint(GLSORT_SUBGROUP) + GLSORT_SUBGROUP_LANE / GLSORT_MARK_BITS);
        bool exists = k * uint(GLSORT_SUBGROUP) + GLSORT_SUBGROUP_LANE < size;
        taken |= (exists ? word >> GLSORT_SUBGROUP_LANE % GLSORT_MARK_BITS & 1u : 0u) << k;
    }
    return taken;
}

// Loads the elements of a tile of `size` slots, from slot `begin` on.
void glsort_load_tile(uint begin, uint size, out glsort_Element mine[GLSORT_ELEMENTS]) {
    uint run = GLSORT_SUBGROUP_NUMBER * GLSORT_RUN;
    uint item = glsort_item_in(begin + min(run, size - 1u));
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint offset = k * uint(GLSORT_SUBGROUP) + GLSORT_SUBGROUP_LANE;
        uint slot = begin + min(run + offset, size - 1u);
        mine[k] = glsort_element_in(slot, GLSORT_RUN_IN_TILE ? item + offset : glsort_item_in(slot));
    }
    glsort_taken = run < size ? glsort_taken_of(begin + run, size - run) : 0u;
}
