// Where each bucket begins in a sorted tile: the places of the global samples, by the staged binary search of the
// paper's step 6, in two stages: first every APART-th sample, an invocation each; then those between, each within what
// the first stage has left of the tile.

const uint APART = (BUCKETS - 1u) / GROUP_SIZE + 1u;

shared uint found[GROUP_SIZE];

// Of the segment's samples every count / BUCKETS-th ends a bucket: how many of them there are up to that which ends
// the bucket before `bucket`.
uint samples_before(uint bucket, uint count) {
    return count / BUCKETS * bucket + count % BUCKETS * bucket / BUCKETS;
}

// The tile's first record behind the sample that ends the bucket before `bucket`, from low on.
uint place_of(uint bucket, uint begin, uint low, uint high, uint samples, uint count) {
    uint before = samples_before(bucket, count);
    if (before == 0u) return low;
    Record last = samples_gather(samples + before - 1u);
    while (low < high) {
        uint middle = (low + high) / 2u;
        if (precedes(last, source_gather(begin + middle))) high = middle;
        else low = middle + 1u;
    }
    return low;
}

void kernel(Index instance) {
    uint segment = number_of(instance) / op_tiles;
    uint tile = number_of(instance) % op_tiles * TILE;
    uint size = segment_size(segment);
    uint begin = segment_begin(segment) + tile;
    uint here = min(size - min(size, tile), TILE);
    uint samples = segment * op_tiles * SAMPLES;
    uint count = sample_count(size);
    uint row = number_of(instance) * BUCKETS;
    uint first = LANE * APART;
    uint place = first < BUCKETS ? place_of(first, begin, 0u, here, samples, count) : here;
    found[LANE] = place;
    barrier();
    uint high = LANE + 1u < GROUP_SIZE ? found[LANE + 1u] : here;
    for (uint bucket = first; bucket < min(first + APART, BUCKETS); ++bucket) {
        if (bucket > first) place = place_of(bucket, begin, place, high, samples, count);
        places_scatter(row + bucket, place);
    }
}
