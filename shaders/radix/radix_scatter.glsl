// Moves the elements of a stretch to their places, tile by tile: sorted by the digit in shared memory, neighbours
// go to neighbouring places.

#if defined(SUBGROUP)
uint goal_of_next = 0u;  // the place of the next element of digit LANE

void counted(uint count) {}
#if defined(STORED_APART)
void move_first(uint goal, Record record) { target_scatter_key(goal, record); }
void move_rest(uint goal, Record record) { target_scatter_value(goal, record); }
#else
void move_first(uint goal, Record record) { target_scatter(goal, record); }
void move_rest(uint goal, Record record) {}
#endif

void start(uint stretch) {
    if (LANE < DIGITS) goal_of_next = offsets_gather(LANE * op_stretches + stretch);
}

void move_tile(uint first, uint end) {
    for (uint i = LANE; i < SUBGROUPS * DIGITS; i += GROUP_SIZE) memory[i] = 0u;
    Record mine[ELEMENTS];
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint element = first + element_of(k);
        mine[k] = element < end ? source_gather(element) : MISSING;
    }
    barrier();
    Places places;
    uint smaller;
    uint count = rank_elements(mine, op_shift, op_bits, places, smaller);
    store_part(0u, mine, places);
    if (LANE < DIGITS) digit_shift[LANE] = goal_of_next - smaller;
    goal_of_next += count;
    barrier();
    move_elements(mine, places, min(end - first, TILE));
    barrier();
}

#else
shared uint next_place[DIGITS];  // of the next element of each digit
shared uint shift_of[DIGITS];    // from a place in the tile to the place it goes to

void start(uint stretch) {
    for (uint digit = LANE; digit < DIGITS; digit += GROUP_SIZE)
        next_place[digit] = offsets_gather(digit * op_stretches + stretch);
}

void move_tile(uint first, uint end) {
    // What is missing from the last tile of all comes behind everything, as it does now.
    uint size = min(end - first, TILE);
    for (uint place = LANE; place < TILE; place += GROUP_SIZE)
        tile_store(place, place < size ? source_gather(first + place) : MISSING);
    sort_tile(op_shift, op_bits);
    for (uint place = LANE; place < size; place += GROUP_SIZE) {
        uint digit = digit_of(tile_load(place), op_shift, op_bits);
        bool opens = place == 0u || digit_of(tile_load(place - 1u), op_shift, op_bits) != digit;
        if (opens) shift_of[digit] = next_place[digit] - place;
    }
    barrier();
    for (uint place = LANE; place < size; place += GROUP_SIZE) {
        Record record = tile_load(place);
        uint digit = digit_of(record, op_shift, op_bits);
        uint goal = shift_of[digit] + place;
        target_scatter(goal, record);
        bool closes = place + 1u == size || digit_of(tile_load(place + 1u), op_shift, op_bits) != digit;
        if (closes) next_place[digit] = goal + 1u;
    }
    barrier();
}
#endif

void kernel(Index instance) {
    uint stretch = number_of(instance);
    start(stretch);
    uint begin = stretch * op_length;
    uint end = min(begin + op_length, op_count);
#if defined(ONE_TILE)
    move_tile(begin, end);
#else
    for (uint first = begin; first < end; first += TILE) move_tile(first, end);
#endif
}
