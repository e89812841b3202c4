// Moves the buckets of TOGETHER neighbouring tiles, two or four, to where they belong: the paper's step 8. What they have of
// a bucket goes to one place, each tile's behind the one's before, and is written together: memory is written in wholes
// of 32 bytes.

// Where a bucket begins in each of the tiles, 16 bits for each.
#if TOGETHER == 2
#define Opens uint
uint open_in(Opens places, uint tile) { return places >> tile * 16u & 0xffffu; }
uint open_in_all(Opens places) { return (places & 0xffffu) + (places >> 16u); }
void set_open(inout Opens places, uint tile, uint place) { places |= place << tile * 16u; }
#else
#define Opens uvec2
uint open_in(Opens places, uint tile) { return places[tile / 2u] >> tile % 2u * 16u & 0xffffu; }
uint open_in_all(Opens places) {
    uvec2 sums = (places & 0xffffu) + (places >> 16u);
    return sums.x + sums.y;
}
void set_open(inout Opens places, uint tile, uint place) { places[tile / 2u] |= place << tile % 2u * 16u; }
#endif

shared Opens opens[BUCKETS + 1u];
shared uint goal_of[BUCKETS];  // where a bucket of the tiles goes

// `size`: records of the tiles, from `begin` on. `row`: the first one's in moves.
void relocate(uint begin, uint size, uint row) {
    for (uint bucket = LANE; bucket <= BUCKETS; bucket += GROUP_SIZE) {
        Opens places = Opens(0u);
        for (uint tile = 0u; tile < uint(TOGETHER); ++tile) {
            uint here = min(size - min(size, tile * SAMPLED_TILE), SAMPLED_TILE);
            uint place = here;
            if (here > 0u && bucket < BUCKETS) {
                uvec2 move = moves_gather(row + tile * BUCKETS + bucket);
                place = move.x;
                if (tile == 0u) goal_of[bucket] = move.x + move.y;
            }
            set_open(places, tile, place);
        }
        opens[bucket] = places;
    }
    barrier();
    for (uint i = LANE; i < size; i += GROUP_SIZE) {
        // The last bucket that begins there or before: of empty ones none.
        uint bucket = 0u;
        uint end = BUCKETS;
        while (end - bucket > 1u) {
            uint middle = (bucket + end) / 2u;
            if (open_in_all(opens[middle]) <= i) bucket = middle;
            else end = middle;
        }
        uint number = i - open_in_all(opens[bucket]);
        Opens from = opens[bucket];
        Opens to = opens[bucket + 1u];
        // Which tile's it is: those before have so many.
        uint before = 0u;
        uint place = 0u;
        for (uint tile = 0u; tile < uint(TOGETHER); ++tile) {
            uint first = open_in(from, tile);
            if (number >= before) place = tile * SAMPLED_TILE + first + number - before;
            before += open_in(to, tile) - first;
        }
        target_scatter(goal_of[bucket] + number, source_gather(begin + place));
    }
}

void kernel(Index instance) {
#if defined(AGAIN)
    uint segment = number_of(instance);
    uint first = 0u;
    uint end = op_tiles;
#else
    uint groups = (op_tiles + uint(TOGETHER) - 1u) / uint(TOGETHER);
    uint segment = number_of(instance) / groups;
    uint first = number_of(instance) % groups * uint(TOGETHER);
    uint end = first + 1u;
#endif
    uint size = segment_size(segment);
    uint begin = segment_begin(segment);
    for (uint tile = first; tile < end && tile * SAMPLED_TILE < size; tile += uint(TOGETHER)) {
        relocate(begin + tile * SAMPLED_TILE, min(size - tile * SAMPLED_TILE, uint(TOGETHER) * SAMPLED_TILE),
                 (segment * op_tiles + tile) * BUCKETS);
        barrier();
    }
}
