// Prefix sums over the invocations of a group: the sum of the values of all earlier invocations, and the total. Without
// subgroups the invocations form rows of GLSORT_SCAN_ROW. Invocations from `members` on give the value 0, and may get
// wrong results. A barrier must separate two scans.
//
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SCAN_ROW
// allows macros: GLSORT_SUBGROUP, GLSORT_SUBGROUPS_KHR

#if defined(GLSORT_SUBGROUPS_KHR)
#include "lib/subgroup.glsl"
#endif

#if defined(GLSORT_SUBGROUPS_KHR)
const uint GLSORT_FEW_ROWS = 16u;  // Up to this number, each invocation adds up rows faster than a subgroup does.

shared uint glsort_scan_rows[GLSORT_GROUP_SIZE / uint(GLSORT_SUBGROUP)];

uint glsort_group_scan(uint value, uint members, out uint total) {
    uint before = 0u;
    // If at least three quarters of the group are whole subgroups without values, these subgroups do not add.
    bool skips = members % uint(GLSORT_SUBGROUP) == 0u && 4u * members <= GLSORT_GROUP_SIZE;
    if (!skips || GLSORT_LANE < members) before = subgroupExclusiveAdd(value);
    if (GLSORT_SUBGROUP_LANE == uint(GLSORT_SUBGROUP) - 1u) glsort_scan_rows[GLSORT_SUBGROUP_NUMBER] = before + value;
    barrier();
    total = 0u;
    uint rows = (members - 1u) / uint(GLSORT_SUBGROUP) + 1u;
    if (rows > GLSORT_FEW_ROWS && rows <= uint(GLSORT_SUBGROUP)) {
        uint sum = GLSORT_SUBGROUP_LANE < rows ? glsort_scan_rows[GLSORT_SUBGROUP_LANE] : 0u;
        before += subgroupAdd(GLSORT_SUBGROUP_LANE < GLSORT_SUBGROUP_NUMBER ? sum : 0u);
        total = subgroupAdd(sum);
    } else if (GLSORT_LANE < members) {
        for (uint row = 0u; row < rows; ++row) {
            if (row < GLSORT_SUBGROUP_NUMBER) before += glsort_scan_rows[row];
            total += glsort_scan_rows[row];
        }
    }
    return before;
}
#else
shared uint glsort_scan_values[GLSORT_GROUP_SIZE];
shared uint glsort_scan_rows[GLSORT_GROUP_SIZE / GLSORT_SCAN_ROW];

uint glsort_group_scan(uint value, uint members, out uint total) {
    glsort_scan_values[GLSORT_LANE] = value;
    barrier();
    if (GLSORT_LANE < GLSORT_GROUP_SIZE / GLSORT_SCAN_ROW) {
        uint sum = 0u;
        for (uint i = GLSORT_LANE * GLSORT_SCAN_ROW; i < (GLSORT_LANE + 1u) * GLSORT_SCAN_ROW; ++i) {
            uint mine = glsort_scan_values[i];
            glsort_scan_values[i] = sum;
            sum += mine;
        }
        glsort_scan_rows[GLSORT_LANE] = sum;
    }
    barrier();
    uint before = glsort_scan_values[GLSORT_LANE];
    total = 0u;
    for (uint row = 0u; row < GLSORT_GROUP_SIZE / GLSORT_SCAN_ROW; ++row) {
        if (row < GLSORT_LANE / GLSORT_SCAN_ROW) before += glsort_scan_rows[row];
        total += glsort_scan_rows[row];
    }
    return before;
}
#endif
