// Ranks the visible elements among those that a group handles at once: GLSORT_STEP elements, of which each invocation
// has GLSORT_KEYS_AT_ONCE.
//
// GLSORT_BALLOTS: ranks by subgroup ballots. For each k, the invocations of a subgroup have neighbouring elements, so
// memory is read in whole rows. A step has one barrier.
//
// expects macros: GLSORT_GROUP_SIZE, GLSORT_KEYS_AT_ONCE
// allows macros: GLSORT_BALLOTS, GLSORT_LANE, GLSORT_SUBGROUP

#if defined(GLSORT_BALLOTS)
#include "lib/subgroup.glsl"
#else
#include "lib/group_scan.glsl"
#endif

const uint GLSORT_STEP = GLSORT_GROUP_SIZE * GLSORT_KEYS_AT_ONCE;

#if defined(GLSORT_BALLOTS)
const uint GLSORT_SUBGROUPS = GLSORT_GROUP_SIZE / uint(GLSORT_SUBGROUP);
// Two halves: the counts of a step are still read while those of the next step are written.
shared uint glsort_seen_by[2u * GLSORT_SUBGROUPS];

// Which element of the step is element k of the invocation.
uint glsort_element_of_step(uint k) {
    return (GLSORT_SUBGROUP_NUMBER * GLSORT_KEYS_AT_ONCE + k) * uint(GLSORT_SUBGROUP) + GLSORT_SUBGROUP_LANE;
}

// `seen`: a bit for each element of the invocation, 1 if the element is visible. `turn`: 0 or 1, alternately. Returns
// how many elements of the step are visible.
uint glsort_rank_visible(uint seen, uint turn, out uint ranks[GLSORT_KEYS_AT_ONCE]) {
    uint mine = 0u;
    for (uint k = 0u; k < GLSORT_KEYS_AT_ONCE; ++k) {
        bool visible = (seen >> k & 1u) != 0u;
        glsort_Votes votes = glsort_votes_for(visible);
        ranks[k] = mine + glsort_vote_count(votes & glsort_votes_up_to(GLSORT_SUBGROUP_LANE)) - (visible ? 1u : 0u);
        mine += glsort_vote_count(votes);
    }
    uint first = turn * GLSORT_SUBGROUPS;
    if (GLSORT_SUBGROUP_LANE == 0u) glsort_seen_by[first + GLSORT_SUBGROUP_NUMBER] = mine;
    barrier();
    uint count = GLSORT_SUBGROUP_LANE < GLSORT_SUBGROUPS ? glsort_seen_by[first + GLSORT_SUBGROUP_LANE] : 0u;
    uint before = subgroupAdd(GLSORT_SUBGROUP_LANE < GLSORT_SUBGROUP_NUMBER ? count : 0u);
    for (uint k = 0u; k < GLSORT_KEYS_AT_ONCE; ++k) ranks[k] += before;
    return subgroupAdd(count);
}
#else
uint glsort_element_of_step(uint k) { return GLSORT_LANE * GLSORT_KEYS_AT_ONCE + k; }

uint glsort_rank_visible(uint seen, uint turn, out uint ranks[GLSORT_KEYS_AT_ONCE]) {
    uint total;
    barrier();
    uint before = glsort_group_scan(uint(bitCount(seen)), GLSORT_GROUP_SIZE, total);
    for (uint k = 0u; k < GLSORT_KEYS_AT_ONCE; ++k)
        ranks[k] = before + uint(bitCount(seen & (1u << k) - 1u));
    return total;
}
#endif
