// The subgroup of an invocation: SUBGROUP invocations, 4 to 64, a power of two.
//
// SUBGROUPS_KHR: by GL_KHR_shader_subgroup. Else by GL_ARB_shader_ballot on a software rasteriser, where the
// invocations of a subgroup are neighbours and run in step.

#if SUBGROUP <= 32
#define Votes uint
#define VOTE_WORDS x
const uint EVERYONE = 0xffffffffu >> uint(32 - SUBGROUP);
uint vote_count(uint votes) { return uint(bitCount(votes)); }
uint votes_up_to(uint lane) { return (2u << lane) - 1u; }
uint last_vote(uint votes) { return uint(findMSB(votes)); }
#else
#define Votes uvec2
#define VOTE_WORDS xy
const uvec2 EVERYONE = uvec2(0xffffffffu);
uint vote_count(uvec2 votes) { return uint(bitCount(votes.x) + bitCount(votes.y)); }
uvec2 votes_up_to(uint lane) {
    return lane < 32u ? uvec2((2u << lane) - 1u, 0u) : uvec2(0xffffffffu, (2u << (lane - 32u)) - 1u);
}
uint last_vote(uvec2 votes) { return uint(votes.y != 0u ? 32 + findMSB(votes.y) : findMSB(votes.x)); }
#endif

#if defined(SUBGROUPS_KHR)
#define SUBGROUP_NUMBER gl_SubgroupID
#define SUBGROUP_LANE gl_SubgroupInvocationID
Votes votes_for(bool mine) { return subgroupBallot(mine).VOTE_WORDS; }
#else
#define SUBGROUP_NUMBER (LANE / uint(SUBGROUP))
#define SUBGROUP_LANE gl_SubGroupInvocationARB
Votes votes_for(bool mine) { return unpackUint2x32(ballotARB(mine)).VOTE_WORDS; }
#endif
