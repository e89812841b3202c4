// Sorts by enumeration (Muller and Preparata 1975): the number of elements that precede an element is the element's
// place. Enumeration takes more comparisons than any other sort here, but all multiprocessors make comparisons in
// parallel. A group ranks GLSORT_TARGETS neighbouring elements.
//
// GLSORT_IN_PLACE: the target may be the stream that is read. Elements therefore go to `ranked` first. The first word
// of `ranked` counts the finished groups. The last group to finish moves all elements to the target, and leaves zero in
// the first word. No group waits.
//
// expects ports: source, target
// expects parameters: count
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_ELEMENT_WORDS, GLSORT_TARGETS
// allows ports: ranked
// allows macros: GLSORT_IN_PLACE, GLSORT_CAPACITY

#include "lib/layout.glsl"
#include "radix/compared_bits.glsl"
#include "radix/target_ranks.glsl"

glsort_Key glsort_code_at(uint i) {
    glsort_Key code = glsort_compared(glsort_source_gather(min(i, glsort_op_count - 1u)));
    return i < glsort_op_count ? code : glsort_Key(GLSORT_NONE);
}

#if defined(GLSORT_IN_PLACE)
shared uint glsort_groups_done;

const uint GLSORT_DONE = 0u;
const uint GLSORT_RECORDS = 1u;
const uint GLSORT_ELEMENTS = (GLSORT_CAPACITY + GLSORT_GROUP_SIZE - 1u) / GLSORT_GROUP_SIZE;

uint glsort_ranked_word(uint place, uint word) { return GLSORT_RECORDS + word * GLSORT_CAPACITY + place; }

void glsort_store_ranked(uint place, glsort_Element record) {
#if GLSORT_ELEMENT_WORDS == 1
    glsort_ranked_scatter(glsort_ranked_word(place, 0u), record);
#else
    for (uint word = 0u; word < uint(GLSORT_ELEMENT_WORDS); ++word)
        glsort_ranked_scatter(glsort_ranked_word(place, word), record[word]);
#endif
}

glsort_Element glsort_load_ranked(uint place) {
#if GLSORT_ELEMENT_WORDS == 1
    return glsort_ranked_load(glsort_ranked_word(place, 0u));
#else
    glsort_Element record = GLSORT_MISSING;
    for (uint word = 0u; word < uint(GLSORT_ELEMENT_WORDS); ++word)
        record[word] = glsort_ranked_load(glsort_ranked_word(place, word));
    return record;
#endif
}

void glsort_store_element(uint goal, glsort_Element record) { glsort_store_ranked(goal, record); }

void glsort_move_all() {
    memoryBarrierBuffer();
    barrier();
    if (GLSORT_LANE == 0u) glsort_groups_done = glsort_ranked_add(GLSORT_DONE, 1u);
    barrier();
    if (glsort_groups_done + 1u < (glsort_op_count + GLSORT_TARGETS - 1u) / GLSORT_TARGETS) return;
    memoryBarrierBuffer();
    glsort_Element sorted[GLSORT_ELEMENTS];
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        if (k * GLSORT_GROUP_SIZE + GLSORT_LANE < glsort_op_count)
            sorted[k] = glsort_load_ranked(k * GLSORT_GROUP_SIZE + GLSORT_LANE);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        if (k * GLSORT_GROUP_SIZE + GLSORT_LANE < glsort_op_count)
            glsort_target_scatter(k * GLSORT_GROUP_SIZE + GLSORT_LANE, sorted[k]);
    if (GLSORT_LANE == 0u) glsort_ranked_scatter(GLSORT_DONE, 0u);
}
#else
void glsort_store_element(uint goal, glsort_Element record) { glsort_target_scatter(goal, record); }
void glsort_move_all() {}
#endif

void glsort_kernel(glsort_Index instance) {
    uint first = glsort_number_of(instance) * GLSORT_TARGETS;
    uint element = first + GLSORT_LANE % GLSORT_TARGETS;
    glsort_Element mine = element < glsort_op_count ? glsort_source_gather(element) : GLSORT_MISSING;
    glsort_Key code = element < glsort_op_count ? glsort_compared(mine) : glsort_Key(0xffffffffu);
    uint goal = glsort_rank_targets(first, code, glsort_op_count);
    if (GLSORT_LANE < GLSORT_TARGETS && element < glsort_op_count) glsort_store_element(goal, mine);
    glsort_move_all();
}
