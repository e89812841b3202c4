// Where each bucket begins in a sorted tile: the places of the global samples, by the staged binary search of the
// paper's step 6. The sample in the middle comes first, then those in the middle of either side, and so on, each
// between the two that were found last.

shared uint found[SAMPLES];

// Of the segment's samples every count / SAMPLES-th ends a bucket: how many of them there are up to that which ends
// the bucket before `bucket`.
uint samples_before(uint bucket, uint count) {
    return count / SAMPLES * bucket + count % SAMPLES * bucket / SAMPLES;
}

void kernel(Index instance) {
    uint segment = number_of(instance) / op_tiles;
    uint tile = number_of(instance) % op_tiles * TILE;
    uint size = segment_size(segment);
    uint begin = segment_begin(segment) + tile;
    uint here = size - min(size, tile);
    here = min(here, TILE);
    uint samples = segment * op_tiles * SAMPLES;
    uint count = sample_count(size);
    if (LANE == 0u) found[0] = 0u;
    barrier();
    for (uint apart = SAMPLES / 2u; apart > 0u; apart /= 2u) {
        for (uint bucket = (2u * LANE + 1u) * apart; bucket < SAMPLES; bucket += 2u * GROUP_SIZE * apart) {
            uint low = found[bucket - apart];
            uint high = bucket + apart < SAMPLES ? found[bucket + apart] : here;
            uint before = samples_before(bucket, count);
            if (before == 0u) {
                high = low;
            } else {
                Record last = samples_gather(samples + before - 1u);
                while (low < high) {
                    uint middle = (low + high) / 2u;
                    if (precedes(last, source_gather(begin + middle))) high = middle;
                    else low = middle + 1u;
                }
            }
            found[bucket] = low;
        }
        barrier();
    }
    for (uint bucket = LANE; bucket < SAMPLES; bucket += GROUP_SIZE)
        places_scatter(number_of(instance) * SAMPLES + bucket, found[bucket]);
}
