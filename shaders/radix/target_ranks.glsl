// Ranks neighbouring codes among many (enumeration sort, Muller and Preparata 1975). Each group ranks some of the
// codes, its targets. The group sorts the targets into a search tree. Every other code goes down the tree, to the first
// target that the code precedes. That target counts the code. The prefix sums of the counts, target by target, give the
// ranks. Among equal codes the first comes first.
//
// GLSORT_AT_ONCE: how many codes an invocation loads at once, and then searches.
// expects macros: GLSORT_AT_ONCE, GLSORT_GROUP_SIZE, GLSORT_KEY_WORDS, GLSORT_LANE, GLSORT_TARGETS
// expects macros: GLSORT_TARGET_BITS

#include "lib/group_scan.glsl"
#include "radix/search_tree.glsl"

#pragma optionNV(unroll all)

const uint GLSORT_PARTS_OF_GROUP = GLSORT_GROUP_SIZE / GLSORT_TARGETS;

shared uint glsort_codes[GLSORT_TARGETS * uint(GLSORT_KEY_WORDS)];
shared uint glsort_places[GLSORT_TARGETS];  // Places of targets among each other.
shared uint glsort_counts[GLSORT_TARGETS];

#if GLSORT_KEY_WORDS == 1
#define GLSORT_TARGET(i) glsort_codes[i]
#define GLSORT_STORE_TARGET(i, code) glsort_codes[i] = code;
#else
#define GLSORT_TARGET(i) uvec2(glsort_codes[i], glsort_codes[GLSORT_TARGETS + (i)])
#define GLSORT_STORE_TARGET(i, code) \
    glsort_codes[i] = (code).x;      \
    glsort_codes[GLSORT_TARGETS + (i)] = (code).y;
#endif

// The kernel's code number `i`. Behind the last code: the largest code.
glsort_Key glsort_code_at(uint i);

// Counts each code for the first target that the code precedes. The tree has all targets but the last one, which is in
// node 0. Targets are not counted. The first target is code `first`.
void glsort_count_codes(uint first, uint count) {
    glsort_Key last = glsort_code_in_tree(0u);
    for (uint i = GLSORT_LANE; i < count; i += GLSORT_AT_ONCE * GLSORT_GROUP_SIZE) {
        glsort_Key codes[GLSORT_AT_ONCE];
        uint nodes[GLSORT_AT_ONCE];
        // Loads outside of any branch are issued at once.
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) codes[k] = glsort_code_at(i + k * GLSORT_GROUP_SIZE);
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) nodes[k] = 1u;
        // Behind the targets, a code comes after an equal target, as if the code were larger.
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k)
            if (i + k * GLSORT_GROUP_SIZE > first) codes[k] = glsort_next_code(codes[k]);
        // One step of all searches at once: no search waits for another.
        for (uint level = 0u; level < GLSORT_TARGET_BITS; ++level)
            for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) glsort_descend(nodes[k], codes[k]);
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) {
            uint number = i + k * GLSORT_GROUP_SIZE;
            bool is_target = number - first < GLSORT_TARGETS;  // Unsigned numbers wrap round.
            // The next code of the largest code is zero. No target comes after the largest code.
            bool is_behind = number > first && codes[k] == glsort_Key(0u);
            if (!is_target && !is_behind && !glsort_key_precedes(last, codes[k]))
                atomicAdd(glsort_counts[nodes[k] - GLSORT_TARGETS], 1u);
        }
    }
}

// Returns the rank of target GLSORT_LANE % GLSORT_TARGETS among `count` codes. The targets begin at code `first`.
// `code`: the code of that target, with all bits set behind the last code.
uint glsort_rank_targets(uint first, glsort_Key code, uint count) {
    if (GLSORT_LANE < GLSORT_TARGETS) {
        GLSORT_STORE_TARGET(GLSORT_LANE, code)
        glsort_places[GLSORT_LANE] = 0u;
        glsort_counts[GLSORT_LANE] = 0u;
    }
    barrier();
    uint before = 0u;
    for (uint i = GLSORT_LANE / GLSORT_TARGETS; i < GLSORT_TARGETS; i += GLSORT_PARTS_OF_GROUP) {
        glsort_Key other = GLSORT_TARGET(i);
        before += uint(glsort_key_precedes(other, code) || (other == code && i < GLSORT_LANE % GLSORT_TARGETS));
    }
    atomicAdd(glsort_places[GLSORT_LANE % GLSORT_TARGETS], before);
    barrier();
    if (GLSORT_LANE < GLSORT_TARGETS) {
        uint place = glsort_places[GLSORT_LANE];
        glsort_put_in_tree(place == GLSORT_TARGETS - 1u ? 0u : glsort_node_of(place, GLSORT_TARGETS), code);
    }
    barrier();
    glsort_count_codes(first, count);
    barrier();
    uint counted = GLSORT_LANE < GLSORT_TARGETS ? glsort_counts[GLSORT_LANE] : 0u;
    uint total;
    uint rank = glsort_group_scan(counted, GLSORT_TARGETS, total) + counted + GLSORT_LANE;
    if (GLSORT_LANE < GLSORT_TARGETS) glsort_counts[GLSORT_LANE] = rank;
    barrier();
    return glsort_counts[glsort_places[GLSORT_LANE % GLSORT_TARGETS]];
}
