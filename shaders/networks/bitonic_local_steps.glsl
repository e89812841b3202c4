// op_steps consecutive steps of a bitonic sorting network, at most TILE_BITS, also from one stage into the next: they
// compare on as many different bits of the elements' numbers, and a group takes the TILE elements that differ in
// these bits alone. (Baraglia et al. 2009, section 5: the mapping l_c, and l_c,c' where there are two stages.)
//
// These are the lowest op_low bits, on which the first stage ends, and the bits from op_high up, on which the next
// one begins:
//     element  -hhh --ll   -: of the group's number    h, l: of the record's place in the tile, hhhll
// Within one stage there is only h, or, in the last kernel, only l.

// What lies past the end of the input acts as +infinity.

uint group_bits = 0u;  // The bits of an element's number that its group has in common.

// Neighbours in the tile are so in memory.
uint element_of(uint place) {
    uint low = place & ((1u << op_low) - 1u);
    return group_bits | low | (place >> op_low << op_high);
}

// The steps on bits end - 1 down to `least`, of the stage with such blocks.
void make_stage(uint end, uint least, uint block) {
    uint window = 0u;
    for (; end > least; end = window) {
        window = window_below(end);
        make_steps(window, end, least, descends(element_of(first_place(window)), block));
    }
}

void kernel(Index instance) {
    uint group = number_of(instance);
    uint between = group & ((1u << (op_high - op_low)) - 1u);
    group_bits = ((group ^ between) << TILE_BITS) | (between << op_low);
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        uint element = element_of(place);
        tile_store(place, element < op_count ? source_gather(element) : MISSING);
    }
    barrier();
    make_stage(min(op_low, op_steps), 0u, op_block);
    make_stage(TILE_BITS, op_low, op_low == 0u ? op_block : op_block << 1u);
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        uint element = element_of(place);
        if (element < op_count) target_scatter(element, tile_load(place));
    }
}
