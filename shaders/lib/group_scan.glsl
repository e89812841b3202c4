// Sums over the invocations of a group, without subgroups in rows of SCAN_ROW: of the values of the invocations before
// one, and of all. Those from `members` on have no value, and need learn nothing. Between two scans there must be a
// barrier.

#if defined(SUBGROUPS_KHR)
shared uint scan_rows[GROUP_SIZE / uint(SUBGROUP)];

uint group_scan(uint value, uint members, out uint total) {
    uint before = subgroupExclusiveAdd(value);
    if (SUBGROUP_LANE == uint(SUBGROUP) - 1u) scan_rows[SUBGROUP_NUMBER] = before + value;
    barrier();
    total = 0u;
    if (LANE < members)
        for (uint row = 0u; row < (members - 1u) / uint(SUBGROUP) + 1u; ++row) {
            if (row < SUBGROUP_NUMBER) before += scan_rows[row];
            total += scan_rows[row];
        }
    return before;
}
#else
shared uint scan_values[GROUP_SIZE];
shared uint scan_rows[GROUP_SIZE / SCAN_ROW];

uint group_scan(uint value, uint members, out uint total) {
    scan_values[LANE] = value;
    barrier();
    if (LANE < GROUP_SIZE / SCAN_ROW) {
        uint sum = 0u;
        for (uint i = LANE * SCAN_ROW; i < (LANE + 1u) * SCAN_ROW; ++i) {
            uint mine = scan_values[i];
            scan_values[i] = sum;
            sum += mine;
        }
        scan_rows[LANE] = sum;
    }
    barrier();
    uint before = scan_values[LANE];
    total = 0u;
    for (uint row = 0u; row < GROUP_SIZE / SCAN_ROW; ++row) {
        if (row < LANE / SCAN_ROW) before += scan_rows[row];
        total += scan_rows[row];
    }
    return before;
}
#endif
