// Where the first element of each digit goes in a pass: an invocation has a digit.

const uint AT_ONCE = 16u;  // on their way

void kernel(Index instance) {
    uint pass = number_of(instance);
    uint count = 0u;
    for (uint stretch = 0u; stretch < op_stretches; stretch += AT_ONCE)
        for (uint k = 0u; k < AT_ONCE; ++k) {
            uint here = histograms_gather((min(stretch + k, op_stretches - 1u) * PASSES + pass) * DIGITS + LANE);
            if (stretch + k < op_stretches) count += here;
        }
    uint total;
    starts_scatter(pass * DIGITS + LANE, group_scan(count, total));
}
