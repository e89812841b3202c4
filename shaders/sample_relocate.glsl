// Moves the buckets of a tile to where they belong: the paper's step 8.

shared uint opens[BUCKETS];     // where a bucket begins in the tile
shared uint shift_of[BUCKETS];  // from there to where it goes

void kernel(Index instance) {
    uint segment = number_of(instance) / op_tiles;
    uint tile = number_of(instance) % op_tiles * TILE;
    uint size = segment_size(segment);
    uint begin = segment_begin(segment);
#if defined(RANDOM)
    if (size > op_tiles * TILE) {
        for (uint place = tile / TILE * GROUP_SIZE + LANE; place < size; place += op_tiles * GROUP_SIZE)
            target_scatter(begin + place, source_gather(begin + place));
        return;
    }
#endif
    if (tile >= size) return;
    uint here = min(size - tile, TILE);
    uint row = number_of(instance) * BUCKETS;
    for (uint bucket = LANE; bucket < BUCKETS; bucket += GROUP_SIZE) {
        uvec2 move = moves_gather(row + bucket);
        opens[bucket] = move.x;
        shift_of[bucket] = move.y;
    }
    barrier();
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        if (place < here) {
            // The last bucket that begins there or before: of empty ones none.
            uint bucket = 0u;
            uint end = BUCKETS;
            while (end - bucket > 1u) {
                uint middle = (bucket + end) / 2u;
                if (opens[middle] <= place) bucket = middle;
                else end = middle;
            }
            target_scatter(shift_of[bucket] + place, source_gather(begin + tile + place));
        }
    }
}
