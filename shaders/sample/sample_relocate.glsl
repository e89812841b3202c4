// Moves the buckets of TOGETHER neighbouring tiles, two or four, to where they belong: the paper's step 8. What they
// have of a bucket goes to one place, each tile's behind the one's before, and is written together: memory is written
// in wholes of 32 bytes.

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

void do_tiles(uint segment, uint size, uint number, uint begin, uint here) {
    uint row = number * BUCKETS;
    for (uint bucket = LANE; bucket <= BUCKETS; bucket += GROUP_SIZE) {
        Opens places = Opens(0u);
        for (uint tile = 0u; tile < uint(TOGETHER); ++tile) {
            uint place = min(here - min(here, tile * SAMPLED_TILE), SAMPLED_TILE);
            if (place > 0u && bucket < BUCKETS) {
                uvec2 move = moves_gather(row + tile * BUCKETS + bucket);
                place = move.x;
                if (tile == 0u) goal_of[bucket] = move.x + move.y;
            }
            set_open(places, tile, place);
        }
        opens[bucket] = places;
    }
    barrier();
    for (uint i = LANE; i < here; i += GROUP_SIZE) {
        // The last bucket that begins there or before: of empty ones none.
        uint bucket = 0u;
        uint end = BUCKETS;
        while (end - bucket > 1u) {
            uint middle = (bucket + end) / 2u;
            if (open_in_all(opens[middle]) <= i) bucket = middle;
            else end = middle;
        }
        uint rank = i - open_in_all(opens[bucket]);  // among the tiles' records of the bucket
        Opens from = opens[bucket];
        Opens to = opens[bucket + 1u];
        // Which tile's it is: those before have so many.
        uint before = 0u;
        uint place = 0u;
        for (uint tile = 0u; tile < uint(TOGETHER); ++tile) {
            uint first = open_in(from, tile);
            if (rank >= before) place = tile * SAMPLED_TILE + first + rank - before;
            before += open_in(to, tile) - first;
        }
        target_scatter(goal_of[bucket] + rank, source_gather(begin + place));
    }
}
