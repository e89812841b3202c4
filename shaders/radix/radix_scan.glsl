// Where the first element of each digit of each stretch goes: the sums of all counts before. One group takes STRETCH
// counts after the other: neighbours fetch and store neighbouring ones, but each adds up a row of its own.

#pragma optionNV(unroll all)

const uint STRETCH = ROW * GROUP_SIZE;

shared uint counts[STRETCH];

void kernel(Index instance) {
    uint before_all = 0u;
    for (uint first = 0u; first < op_elements; first += STRETCH) {
        for (uint k = 0u; k < ROW; ++k) {
            uint i = k * GROUP_SIZE + LANE;
            uint count = counts_gather(min(first + i, op_elements - 1u));
            counts[bank_slot(i)] = first + i < op_elements ? count : 0u;
        }
        barrier();
        uint row[ROW];
        uint sum = 0u;
        for (uint k = 0u; k < ROW; ++k) {
            row[k] = counts[bank_slot(LANE * ROW + k)];
            sum += row[k];
        }
        uint total;
        uint before = before_all + group_scan(sum, GROUP_SIZE, total);
        before_all += total;
        for (uint k = 0u; k < ROW; ++k) {
            counts[bank_slot(LANE * ROW + k)] = before;
            before += row[k];
        }
        barrier();
        for (uint k = 0u; k < ROW; ++k) {
            uint i = k * GROUP_SIZE + LANE;
            if (first + i < op_elements) offsets_scatter(first + i, counts[bank_slot(i)]);
        }
        barrier();
    }
}
