// Where the first element of each digit goes in a pass. A digit has GROUP_SIZE / DIGITS invocations, which add up
// what the stretches have of it.

const uint AT_ONCE = 16u;  // on their way
const uint PARTS = GROUP_SIZE / DIGITS;

shared uint counts[DIGITS];

void kernel(Index instance) {
    uint pass = number_of(instance);
    uint digit = LANE % DIGITS;
    if (LANE < DIGITS) counts[LANE] = 0u;
    barrier();
    uint count = 0u;
    for (uint first = LANE / DIGITS; first < op_stretches; first += AT_ONCE * PARTS)
        for (uint k = 0u; k < AT_ONCE; ++k) {
            uint stretch = first + k * PARTS;
            uint here = histograms_gather((min(stretch, op_stretches - 1u) * PASSES + pass) * DIGITS + digit);
            if (stretch < op_stretches) count += here;
        }
    atomicAdd(counts[digit], count);
    barrier();
    uint total;
    uint smaller = group_scan(LANE < DIGITS ? counts[digit] : 0u, DIGITS, total);
    if (LANE < DIGITS) starts_scatter(pass * DIGITS + LANE, smaller);
}
