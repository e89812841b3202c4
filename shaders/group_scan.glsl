// Sums over the invocations of a group, in rows of SCAN_ROW: no subgroups, no progress but that of barriers.

shared uint scan_values[GROUP_SIZE];
shared uint scan_rows[GROUP_SIZE / SCAN_ROW];

// The sum of the values of the invocations before this one; and of all.
uint group_scan(uint value, out uint total) {
    scan_values[LANE] = value;
    memoryBarrierShared();
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
    memoryBarrierShared();
    barrier();
    uint before = scan_values[LANE];
    total = 0u;
    for (uint row = 0u; row < GROUP_SIZE / SCAN_ROW; ++row) {
        if (row < LANE / SCAN_ROW) before += scan_rows[row];
        total += scan_rows[row];
    }
    // The next scan must not overtake this one.
    barrier();
    return before;
}
