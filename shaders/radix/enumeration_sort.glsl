// Sorts by counting, for each element, the elements that precede it (enumeration sort, Muller and Preparata 1975).
// Enumeration takes more comparisons than any other sort here, but all multiprocessors make comparisons in parallel.
//
// A group has GLSORT_TARGETS neighbouring elements, its targets. The group sorts their codes into a search tree. Then
// every other element of the input goes down the tree, to the first target that the element precedes. That target
// counts the element. The prefix sums of the counts, target by target, give the places of the group's elements.
//
// GLSORT_IN_PLACE: the target may be the stream that is read. Elements therefore go to `ranked` first. The first word
// of `ranked` counts the finished groups. The last group to finish moves all elements to the target. No group waits.
//
// expects ports: source, target
// expects parameters: count
// expects macros: GLSORT_GROUP_SIZE, GLSORT_KEY_WORDS, GLSORT_LANE, GLSORT_ELEMENT_WORDS, GLSORT_TARGETS
// allows ports: ranked
// allows macros: GLSORT_IN_PLACE, GLSORT_CAPACITY

#include "lib/group_scan.glsl"
#include "lib/layout.glsl"
#include "radix/compared_bits.glsl"

#pragma optionNV(unroll all)

const uint GLSORT_PARTS = GLSORT_GROUP_SIZE / GLSORT_TARGETS;
const uint GLSORT_AT_ONCE = 4u;  // loads in flight

// The tree, level by level from node 1. The children of node i are 2 i and 2 i + 1. Node 0 is the last target.
shared uint glsort_codes[GLSORT_TARGETS * uint(GLSORT_KEY_WORDS)];
shared uint glsort_tree[GLSORT_TARGETS * uint(GLSORT_KEY_WORDS)];
shared uint glsort_places[GLSORT_TARGETS];  // places of targets among each other
shared uint glsort_counts[GLSORT_TARGETS];

#if GLSORT_KEY_WORDS == 1
#define GLSORT_CODE(array, i) array[i]
#define GLSORT_STORE_CODE(array, i, code) array[i] = code;
#else
#define GLSORT_CODE(array, i) uvec2(array[i], array[GLSORT_TARGETS + (i)])
#define GLSORT_STORE_CODE(array, i, code) \
    array[i] = (code).x;                  \
    array[GLSORT_TARGETS + (i)] = (code).y;
#endif

// The node of the target at `place`. Places 1, 3, 5, ... GLSORT_TARGETS - 1 are on the lowest level, and so on.
uint glsort_node_of(uint place) {
    uint height = uint(findLSB(place + 1u));
    return place == GLSORT_TARGETS - 1u ? 0u : (GLSORT_TARGETS >> (height + 1u)) + (place + 1u >> (height + 1u));
}

// Counts an element that lies before or after (`behind`) the targets. Among equal codes the first element comes first.
void glsort_count_element(glsort_Key code, bool behind, glsort_Key last) {
    uint node = 1u;
    for (uint half_targets = GLSORT_TARGETS; half_targets > 1u; half_targets /= 2u) {
        glsort_Key target = GLSORT_CODE(glsort_tree, node);
        bool after = behind ? !glsort_key_precedes(code, target) : glsort_key_precedes(target, code);
        node = 2u * node + uint(after);
    }
    bool after_all = behind ? !glsort_key_precedes(code, last) : glsort_key_precedes(last, code);
    if (!after_all) atomicAdd(glsort_counts[node - GLSORT_TARGETS], 1u);
}

void glsort_count_elements(uint begin, uint end, bool behind) {
    glsort_Key last = GLSORT_CODE(glsort_tree, 0u);
    uint i = begin + GLSORT_LANE;
    for (; i + (GLSORT_AT_ONCE - 1u) * GLSORT_GROUP_SIZE < end; i += GLSORT_AT_ONCE * GLSORT_GROUP_SIZE) {
        glsort_Key some[GLSORT_AT_ONCE];
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k)
            some[k] = glsort_compared(glsort_source_gather(i + k * GLSORT_GROUP_SIZE));
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) glsort_count_element(some[k], behind, last);
    }
    for (; i < end; i += GLSORT_GROUP_SIZE)
        glsort_count_element(glsort_compared(glsort_source_gather(i)), behind, last);
}

// Computes the destinations of the elements at these places among the targets.
void glsort_find_goals() {
    uint count = GLSORT_LANE < GLSORT_TARGETS ? glsort_counts[GLSORT_LANE] : 0u;
    uint total;
    uint goal = glsort_group_scan(count, GLSORT_TARGETS, total) + count + GLSORT_LANE;
    if (GLSORT_LANE < GLSORT_TARGETS) glsort_counts[GLSORT_LANE] = goal;
    barrier();
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
    if (GLSORT_LANE < GLSORT_TARGETS) {
        GLSORT_STORE_CODE(glsort_codes, GLSORT_LANE, code)
        glsort_places[GLSORT_LANE] = 0u;
        glsort_counts[GLSORT_LANE] = 0u;
    }
    barrier();
    uint before = 0u;
    for (uint i = GLSORT_LANE / GLSORT_TARGETS; i < GLSORT_TARGETS; i += GLSORT_PARTS) {
        glsort_Key other = GLSORT_CODE(glsort_codes, i);
        before += uint(glsort_key_precedes(other, code) || (other == code && i < GLSORT_LANE % GLSORT_TARGETS));
    }
    atomicAdd(glsort_places[GLSORT_LANE % GLSORT_TARGETS], before);
    barrier();
    if (GLSORT_LANE < GLSORT_TARGETS) {
        uint node = glsort_node_of(glsort_places[GLSORT_LANE]);
        GLSORT_STORE_CODE(glsort_tree, node, code)
    }
    barrier();
    glsort_count_elements(0u, first, false);
    glsort_count_elements(first + GLSORT_TARGETS, glsort_op_count, true);
    barrier();
    glsort_find_goals();
    if (GLSORT_LANE < GLSORT_TARGETS && element < glsort_op_count)
        glsort_store_element(glsort_counts[glsort_places[GLSORT_LANE]], mine);
    glsort_move_all();
}
