// Sums over the invocations of a group. Without subgroups in rows of SCAN_ROW. Between two of them there must be a
// barrier.

#if defined(SUBGROUPS_KHR)
shared uint scan_rows[GROUP_SIZE / uint(SUBGROUP)];

// The sum of the values of the invocations before this one; and of all.
uint group_scan(uint value, out uint total) {
    uint before = subgroupExclusiveAdd(value);
    if (SUBGROUP_LANE == uint(SUBGROUP) - 1u) scan_rows[SUBGROUP_NUMBER] = before + value;
    group_ready();
    total = 0u;
    for (uint row = 0u; row < GROUP_SIZE / uint(SUBGROUP); ++row) {
        if (row < SUBGROUP_NUMBER) before += scan_rows[row];
        total += scan_rows[row];
    }
    barrier();
    return before;
}
#else
shared uint scan_values[GROUP_SIZE];
shared uint scan_rows[GROUP_SIZE / SCAN_ROW];

// The sum of the values of the invocations before this one; and of all.
uint group_scan(uint value, out uint total) {
    scan_values[LANE] = value;
    group_ready();
    if (LANE < GROUP_SIZE / SCAN_ROW) {
        uint sum = 0u;
        for (uint i = LANE * SCAN_ROW; i < (LANE + 1u) * SCAN_ROW; ++i) {
            uint mine = scan_values[i];
            scan_values[i] = sum;
            sum += mine;
        }
        scan_rows[LANE] = sum;
    }
    group_ready();
    uint before = scan_values[LANE];
    total = 0u;
    for (uint row = 0u; row < GROUP_SIZE / SCAN_ROW; ++row) {
        if (row < LANE / SCAN_ROW) before += scan_rows[row];
        total += scan_rows[row];
    }
    // The next scan must not overtake this one.
    return before;
}
#endif
