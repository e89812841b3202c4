// Moves the buckets of two neighbouring tiles to where they belong: the paper's step 8. What both have of a bucket goes
// to one place, the second tile's behind the first's, and is written together: memory is written in wholes of 32 bytes.

shared uint opens[BUCKETS + 1u];    // where a bucket begins in the first tile, and, 16 bits up, in the second
shared uint goal_of[BUCKETS];       // where it goes

uint opens_in_both(uint bucket) { return (opens[bucket] & 0xffffu) + (opens[bucket] >> 16u); }

// `here`: records of the first tile, from `begin` on, and of the second, behind it. `row`: the first tile's in moves.
void relocate(uint begin, uvec2 here, uint row) {
    for (uint bucket = LANE; bucket < BUCKETS; bucket += GROUP_SIZE) {
        uvec2 move = moves_gather(row + bucket);
        uint second = here.y > 0u ? moves_gather(row + BUCKETS + bucket).x : 0u;
        opens[bucket] = move.x | second << 16u;
        goal_of[bucket] = move.x + move.y;
    }
    if (LANE == 0u) opens[BUCKETS] = here.x | here.y << 16u;
    barrier();
    for (uint i = LANE; i < here.x + here.y; i += GROUP_SIZE) {
        // The last bucket that begins there or before: of empty ones none.
        uint bucket = 0u;
        uint end = BUCKETS;
        while (end - bucket > 1u) {
            uint middle = (bucket + end) / 2u;
            if (opens_in_both(middle) <= i) bucket = middle;
            else end = middle;
        }
        uint number = i - opens_in_both(bucket);
        uvec2 from = uvec2(opens[bucket] & 0xffffu, opens[bucket] >> 16u);
        uint of_first = (opens[bucket + 1u] & 0xffffu) - from.x;
        uint place = number < of_first ? from.x + number : here.x + from.y + number - of_first;
        target_scatter(goal_of[bucket] + number, source_gather(begin + place));
    }
}

void kernel(Index instance) {
    uint pairs = (op_tiles + 1u) / 2u;
#if defined(AGAIN)
    uint segment = number_of(instance);
    uint first = 0u;
    uint end = op_tiles;
#else
    uint segment = number_of(instance) / pairs;
    uint first = number_of(instance) % pairs * 2u;
    uint end = first + 1u;
#endif
    uint size = segment_size(segment);
    uint begin = segment_begin(segment);
    for (uint tile = first; tile < end && tile * SAMPLED_TILE < size; tile += 2u) {
        uint here = min(size - tile * SAMPLED_TILE, 2u * SAMPLED_TILE);
        uint of_first = min(here, SAMPLED_TILE);
        relocate(begin + tile * SAMPLED_TILE, uvec2(of_first, here - of_first), (segment * op_tiles + tile) * BUCKETS);
        barrier();
    }
}
