// Adds the places of buckets up tile by tile, in columns: the paper's step 7. Places of a tile count all of it that
// comes before a bucket, and so do their sums: the sum of all tiles is where the bucket begins in the segment.
//
// A group has COLUMNS neighbouring columns. The invocations of a column share its tiles.

const uint PARTS = GROUP_SIZE / COLUMNS;

shared uint sums[GROUP_SIZE];

void kernel(Index instance) {
    uint segment = number_of(instance) / (SAMPLES / COLUMNS);
    uint bucket = number_of(instance) % (SAMPLES / COLUMNS) * COLUMNS + LANE % COLUMNS;
    uint part = LANE / COLUMNS;
    uint share = (op_tiles + PARTS - 1u) / PARTS;
    uint first = segment * op_tiles + min(part * share, op_tiles);
    uint end = segment * op_tiles + min((part + 1u) * share, op_tiles);
    uint sum = 0u;
    for (uint tile = first; tile < end; ++tile) sum += places_gather(tile * SAMPLES + bucket);
    sums[LANE] = sum;
    barrier();
    uint before = 0u;
    for (uint i = LANE % COLUMNS; i < LANE; i += COLUMNS) before += sums[i];
    for (uint tile = first; tile < end; ++tile) {
        uint place = places_gather(tile * SAMPLES + bucket);
        moves_scatter(tile * SAMPLES + bucket, uvec2(place, before));
        before += place;
    }
    if (part < PARTS - 1u) return;
    uint start = segment_begin(segment) + before;
#if defined(RANDOM)
    // A segment that has outgrown its room becomes its own first bucket.
    if (segment_size(segment) > op_tiles * TILE) start = segment_begin(segment + (bucket == 0u ? 0u : 1u));
#endif
    buckets_scatter(segment * SAMPLES + bucket, start);
    if (segment == op_segments - 1u && bucket == SAMPLES - 1u) buckets_scatter(op_segments * SAMPLES, op_count);
}
