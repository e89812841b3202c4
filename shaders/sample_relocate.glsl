// Moves the buckets of a tile to where they belong: the paper's step 8.

shared uint opens[BUCKETS];     // where a bucket begins in the tile
shared uint shift_of[BUCKETS];  // from there to where it goes

void do_tile(uint segment, uint size, uint number, uint begin, uint here) {
    for (uint bucket = LANE; bucket < BUCKETS; bucket += GROUP_SIZE) {
        uvec2 move = moves_gather(number * BUCKETS + bucket);
        opens[bucket] = move.x;
        shift_of[bucket] = move.y;
    }
    barrier();
    for (uint place = LANE; place < here; place += GROUP_SIZE) {
        // The last bucket that begins there or before: of empty ones none.
        uint bucket = 0u;
        uint end = BUCKETS;
        while (end - bucket > 1u) {
            uint middle = (bucket + end) / 2u;
            if (opens[middle] <= place) bucket = middle;
            else end = middle;
        }
        target_scatter(shift_of[bucket] + place, source_gather(begin + place));
    }
}
