// How often each digit occurs in a pass. A group adds up COLUMNS neighbouring columns of the histograms; of each an
// invocation every PARTS-th stretch.

const uint AT_ONCE = 8u;  // on their way
const uint PARTS = GROUP_SIZE / COLUMNS;

shared uint sums[COLUMNS];

void kernel(Index instance) {
    uint column = number_of(instance) * COLUMNS + LANE % COLUMNS;
    if (LANE < COLUMNS) sums[LANE] = 0u;
    barrier();
    uint sum = 0u;
    for (uint first = LANE / COLUMNS; first < op_stretches; first += AT_ONCE * PARTS)
        for (uint k = 0u; k < AT_ONCE; ++k) {
            uint stretch = first + k * PARTS;
            uint here = histograms_gather(min(stretch, op_stretches - 1u) * op_columns + min(column, op_columns - 1u));
            if (stretch < op_stretches) sum += here;
        }
    atomicAdd(sums[LANE % COLUMNS], sum);
    barrier();
    if (LANE < COLUMNS && column < op_columns) totals_scatter(column, sums[LANE]);
}
