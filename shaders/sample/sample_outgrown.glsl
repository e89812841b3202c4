// Sorts the buckets of a window that have outgrown a tile where they lie, by one group: slow, but it need not happen
// often. A bitonic network whose first comparators of a stage are mirrored (sample_step.glsl).

void kernel(Index instance) {
    uvec2 stretch = stretch_of(0u, op_buckets, 0u, number_of(instance));
    uint begin = stretch.x;
    uint size = stretch.y - stretch.x;
    if (size <= SAMPLED_TILE) return;
    for (uint block = 2u; block / 2u < size; block *= 2u) {
        uint mask = block - 1u;
        while (mask > 0u) {
            for (uint place = LANE; place < size; place += GROUP_SIZE) {
                uint partner = place ^ mask;
                if (partner < place || partner >= size) continue;
                Record mine = records_load(begin + place);
                Record other = records_load(begin + partner);
                if (precedes(other, mine)) {
                    records_scatter(begin + place, other);
                    records_scatter(begin + partner, mine);
                }
            }
            memoryBarrierBuffer();
            barrier();
            mask = mask == block - 1u ? block / 4u : mask / 2u;
        }
    }
}
