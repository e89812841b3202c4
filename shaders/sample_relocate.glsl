// Moves the buckets of a tile to where they belong: the paper's step 8. Behind what the tiles before have of the same
// bucket, which is what they have before the next bucket, less what they have before this one.

shared uint opens[SAMPLES];     // where a bucket begins in the tile
shared uint shift_of[SAMPLES];  // from there to where it goes

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
    uint row = number_of(instance) * SAMPLES;
    for (uint bucket = LANE; bucket < SAMPLES; bucket += GROUP_SIZE) {
        uvec2 move = moves_gather(row + bucket);
        uint next = bucket + 1u < SAMPLES ? moves_gather(row + bucket + 1u).y : tile;
        opens[bucket] = move.x;
        shift_of[bucket] = starts_gather(segment * SAMPLES + bucket) + next - move.y - move.x;
    }
    barrier();
    for (uint k = 0u; k < ELEMENTS; ++k) {
        uint place = k * GROUP_SIZE + LANE;
        if (place < here) {
            uint bucket = 0u;
            for (uint apart = SAMPLES / 2u; apart > 0u; apart /= 2u)
                if (opens[bucket + apart] <= place) bucket += apart;
            target_scatter(shift_of[bucket] + place, source_gather(begin + tile + place));
        }
    }
}
