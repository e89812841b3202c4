// Adds the places of buckets up tile by tile, in columns: the paper's step 7. Places of a tile count all of it that
// comes before a bucket, and so do their sums: the sum of all tiles is where the bucket begins in the segment. What a
// tile has of a bucket lies behind what the tiles before it have: how far it moves goes into moves, behind its place.
//
// A group has COLUMNS neighbouring columns. The invocations of a column share its tiles.

const uint PARTS = GROUP_SIZE / COLUMNS;
const uint COLUMN_GROUPS = (BUCKETS - 1u) / COLUMNS + 1u;

shared uvec2 sums[GROUP_SIZE];

// Where a bucket begins in a tile, and where it ends.
uvec2 places_at(uint segment, uint size, uint tile, uint bucket) {
    uint place = (segment * op_tiles + tile) * BUCKETS + bucket;
    uint end = bucket + 1u < BUCKETS ? places_gather(place + 1u) : min(size - tile * SAMPLED_TILE, SAMPLED_TILE);
    return uvec2(places_gather(place), end);
}

void kernel(Index instance) {
    uint segment = number_of(instance) / COLUMN_GROUPS;
    uint column = number_of(instance) % COLUMN_GROUPS * COLUMNS + LANE % COLUMNS;
    uint bucket = min(column, BUCKETS - 1u);
    uint part = LANE / COLUMNS;
    uint size = segment_size(segment);
    uint tiles = (size + SAMPLED_TILE - 1u) / SAMPLED_TILE;
    uint share = (tiles + PARTS - 1u) / PARTS;
    uint first = min(part * share, tiles);
    uint last = min((part + 1u) * share, tiles);
    uvec2 sum = uvec2(0u);
    for (uint tile = first; tile < last; ++tile) sum += places_at(segment, size, tile, bucket);
    sums[LANE] = sum;
    barrier();
    if (column >= BUCKETS) return;
    uint start = segment_begin(segment);
    uint goal = 0u;
    for (uint i = 0u; i < PARTS; ++i) {
        uvec2 other = sums[i * COLUMNS + LANE % COLUMNS];
        start += other.x;
        if (i < part) goal += other.y - other.x;
    }
    goal += start;
    for (uint tile = first; tile < last; ++tile) {
        uvec2 places = places_at(segment, size, tile, bucket);
        moves_scatter((segment * op_tiles + tile) * BUCKETS + bucket, uvec2(places.x, goal - places.x));
        goal += places.y - places.x;
    }
    if (part > 0u) return;
    buckets_scatter(segment * BUCKETS + bucket, start);
    if (segment == op_segments - 1u && bucket == BUCKETS - 1u) buckets_scatter(op_segments * BUCKETS, op_count);
}
