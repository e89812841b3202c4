// Ranks neighbouring codes among many (enumeration sort, Muller and Preparata 1975). The codes of a group are its
// targets. The group sorts the targets into a search tree. Every other code goes down the tree, to the first target
// that the code precedes. That target counts the code. The prefix sums of the counts, target by target, give the
// ranks. Among equal codes the first comes first.
//
// expects macros: GLSORT_GROUP_SIZE, GLSORT_KEY_WORDS, GLSORT_LANE, GLSORT_TARGETS

#include "lib/group_scan.glsl"
#include "radix/search_tree.glsl"

#pragma optionNV(unroll all)

const uint GLSORT_PARTS_OF_GROUP = GLSORT_GROUP_SIZE / GLSORT_TARGETS;
const uint GLSORT_AT_ONCE = 4u;  // Loads of an invocation at once, and then searches.

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

// The kernel's code number `i`.
glsort_Key glsort_code_at(uint i);

// Loads codes `i`, `i` + GLSORT_GROUP_SIZE and so on. Loads outside of any branch are issued at once.
void glsort_load_codes(uint i, uint count, out glsort_Key codes[GLSORT_AT_ONCE]) {
    for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) codes[k] = glsort_code_at(min(i + k * GLSORT_GROUP_SIZE, count - 1u));
}

// Counts each code for the first target that the code precedes. The tree has all targets but the last one, which is in
// node 0. Targets are not counted. They begin at code `first`. `codes`: the first codes of the invocation.
void glsort_count_codes(uint first, uint count, glsort_Key codes[GLSORT_AT_ONCE]) {
    glsort_Key last = glsort_code_in_tree(0u);
    for (uint i = GLSORT_LANE; i < count; i += GLSORT_AT_ONCE * GLSORT_GROUP_SIZE) {
        // The next codes are on their way while these are searched.
        glsort_Key next[GLSORT_AT_ONCE];
        glsort_load_codes(i + GLSORT_AT_ONCE * GLSORT_GROUP_SIZE, count, next);
        uint nodes[GLSORT_AT_ONCE];
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) nodes[k] = 1u;
        // Behind the targets, a code comes after an equal target, as if the code were larger.
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k)
            if (i + k * GLSORT_GROUP_SIZE > first) codes[k] = glsort_next_code(codes[k]);
        // One step of all searches at once: no search waits for another.
        for (uint left = GLSORT_TARGETS; left > 1u; left /= 2u)
            for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) glsort_descend(nodes[k], codes[k]);
        for (uint k = 0u; k < GLSORT_AT_ONCE; ++k) {
            uint number = i + k * GLSORT_GROUP_SIZE;
            // Unsigned numbers wrap round.
            bool is_other = number < count && number - first >= GLSORT_TARGETS;
            bool is_largest = number > first && codes[k] == glsort_Key(0u);
            if (is_other && !is_largest && !glsort_key_precedes(last, codes[k]))
                atomicAdd(glsort_counts[nodes[k] - GLSORT_TARGETS], 1u);
        }
        codes = next;
    }
}

// Returns the rank of target GLSORT_LANE % GLSORT_TARGETS among `count` codes. The targets begin at code `first`.
// `code`: the code of that target, with all bits set behind the last code.
uint glsort_rank_targets(uint first, glsort_Key code, uint count) {
    // On their way while the group sorts its targets.
    glsort_Key codes[GLSORT_AT_ONCE];
    glsort_load_codes(GLSORT_LANE, count, codes);
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
    glsort_count_codes(first, count, codes);
    barrier();
    uint counted = GLSORT_LANE < GLSORT_TARGETS ? glsort_counts[GLSORT_LANE] : 0u;
    uint total;
    uint rank = glsort_group_scan(counted, GLSORT_TARGETS, total) + counted + GLSORT_LANE;
    if (GLSORT_LANE < GLSORT_TARGETS) glsort_counts[GLSORT_LANE] = rank;
    barrier();
    return glsort_counts[glsort_places[GLSORT_LANE % GLSORT_TARGETS]];
}
