// op_steps consecutive steps of a bitonic sorting network, at most TILE_BITS, also from one stage into the next: they
// compare on as many different bits of the elements' numbers, and a group takes the TILE elements that differ in
// these bits alone. (Baraglia et al. 2009, section 5: the mapping l_c, and l_c,c' where there are two stages.)
//
// These are the lowest op_low bits, on which the first stage ends, and the bits from op_high up, on which the next
// one begins:
//     element  -hhh --ll   -: of the group's number    h, l: of the record's number in the tile, hhhll
// At its place llhhh in the tile, the steps go from the highest bit to the lowest. Within one stage there is only h,
// or, in the last kernel, only l.

// What lies past the end of the input acts as +infinity.

uint group_bits = 0u;  // The bits of an element's number that its group has in common.

// The records of the tile are numbered as they lie in memory.
uint element_of(uint number) {
    uint low = number & ((1u << op_low) - 1u);
    return group_bits | low | (number >> op_low << op_high);
}

uint place_of(uint number) {
    uint low = number & ((1u << op_low) - 1u);
    return (number >> op_low) | (low << (TILE_BITS - op_low));
}

void kernel(Index instance) {
    uint group = number_of(instance);
    uint between = group & ((1u << (op_high - op_low)) - 1u);
    group_bits = ((group ^ between) << TILE_BITS) | (between << op_low);
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint number = k * GROUP_SIZE + LANE;
        uint element = element_of(number);
        tile_store(place_of(number), element < op_count ? source_gather(element) : MISSING);
    }
    barrier();
    uint next_stage = op_low == 0u ? 0u : TILE_BITS - op_low;
    uint descending_first = all_if(descends(group_bits, op_block));
    uint descending_next = all_if(descends(group_bits, op_block << 1u));
    uint window = 0u;
    for (uint end = op_steps; end > 0u; end = window) {
        window = window_below(end);
        // The next stage begins on the bit that tells the blocks of the first apart.
        uint odd_blocks = next_stage == 0u ? 0u : place_bits(window, next_stage - 1u);
        make_steps(window, end, next_stage, descending_first ^ odd_blocks, descending_next);
    }
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint number = k * GROUP_SIZE + LANE;
        uint element = element_of(number);
        if (element < op_count) target_scatter(element, tile_load(place_of(number)));
    }
}
