// The subgroup of an invocation: GLSORT_SUBGROUP invocations, a power of two from 4 to 64.
//
// GLSORT_SUBGROUPS_KHR: uses GL_KHR_shader_subgroup. Otherwise uses GL_ARB_shader_ballot on a software rasteriser,
// where the invocations of a subgroup are neighbours and run in lockstep.
//
// expects macros: GLSORT_LANE, GLSORT_SUBGROUP
// allows macros: GLSORT_SUBGROUPS_KHR

#if GLSORT_SUBGROUP <= 32
#define glsort_Votes uint
#define GLSORT_VOTE_WORDS x
const uint GLSORT_EVERYONE = 0xffffffffu >> uint(32 - GLSORT_SUBGROUP);
uint glsort_vote_count(uint votes) { return uint(bitCount(votes)); }
uint glsort_votes_up_to(uint lane) { return (2u << lane) - 1u; }
uint glsort_last_vote(uint votes) { return uint(findMSB(votes)); }
#else
#define glsort_Votes uvec2
#define GLSORT_VOTE_WORDS xy
const uvec2 GLSORT_EVERYONE = uvec2(0xffffffffu);
uint glsort_vote_count(uvec2 votes) { return uint(bitCount(votes.x) + bitCount(votes.y)); }
uvec2 glsort_votes_up_to(uint lane) {
    return lane < 32u ? uvec2((2u << lane) - 1u, 0u) : uvec2(0xffffffffu, (2u << (lane - 32u)) - 1u);
}
uint glsort_last_vote(uvec2 votes) { return uint(votes.y != 0u ? 32 + findMSB(votes.y) : findMSB(votes.x)); }
#endif

#if defined(GLSORT_SUBGROUPS_KHR)
#define GLSORT_SUBGROUP_NUMBER gl_SubgroupID
#define GLSORT_SUBGROUP_LANE gl_SubgroupInvocationID
glsort_Votes glsort_votes_for(bool mine) { return subgroupBallot(mine).GLSORT_VOTE_WORDS; }
uint glsort_value_of(uint value, uint lane) { return subgroupShuffle(value, lane); }
#else
#define GLSORT_SUBGROUP_NUMBER (GLSORT_LANE / uint(GLSORT_SUBGROUP))
#define GLSORT_SUBGROUP_LANE gl_SubGroupInvocationARB
glsort_Votes glsort_votes_for(bool mine) { return unpackUint2x32(ballotARB(mine)).GLSORT_VOTE_WORDS; }
uint glsort_value_of(uint value, uint lane) { return readInvocationARB(value, lane); }
#endif
