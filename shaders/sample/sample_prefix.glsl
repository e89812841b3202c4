// A column has the places of one bucket in all tiles of a segment. Adds up each column: the paper's step 7. A place
// counts all elements of its tile that come before the bucket. The sum over all tiles is therefore the start of the
// bucket in the segment. The elements of a bucket go to their place tile after tile. For each bucket of a tile, `moves`
// gets two words. The first word is the bucket's place in the tile. The second word, added to a place in the tile,
// gives the destination.
//
// A group has GLSORT_COLUMNS neighbouring columns. The invocations of a column share its tiles.
//
// expects ports: buckets, moves, places
// expects parameters: count, segments, tiles
// expects macros: GLSORT_BUCKETS, GLSORT_COLUMNS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SAMPLED_TILE

#include "lib/layout.glsl"
#include "sample/sample_segment.glsl"

const uint GLSORT_PARTS = GLSORT_GROUP_SIZE / GLSORT_COLUMNS;
const uint GLSORT_COLUMN_GROUPS = (GLSORT_BUCKETS - 1u) / GLSORT_COLUMNS + 1u;

shared uvec2 glsort_sums[GLSORT_GROUP_SIZE];

// The start and the end of a bucket in a tile.
uvec2 glsort_places_at(uint segment, uint size, uint tile, uint bucket) {
    uint place = (segment * glsort_op_tiles + tile) * GLSORT_BUCKETS + bucket;
    uint end = bucket + 1u < GLSORT_BUCKETS ? glsort_places_gather(place + 1u)
                                            : min(size - tile * GLSORT_SAMPLED_TILE, GLSORT_SAMPLED_TILE);
    return uvec2(glsort_places_gather(place), end);
}

void glsort_kernel(glsort_Index instance) {
    uint segment = glsort_number_of(instance) / GLSORT_COLUMN_GROUPS;
    uint column = glsort_number_of(instance) % GLSORT_COLUMN_GROUPS * GLSORT_COLUMNS + GLSORT_LANE % GLSORT_COLUMNS;
    uint bucket = min(column, GLSORT_BUCKETS - 1u);
    uint part = GLSORT_LANE / GLSORT_COLUMNS;
    uint size = glsort_segment_size(segment);
    uint tiles = (size + GLSORT_SAMPLED_TILE - 1u) / GLSORT_SAMPLED_TILE;
    uint share = (tiles + GLSORT_PARTS - 1u) / GLSORT_PARTS;
    uint first = min(part * share, tiles);
    uint last = min((part + 1u) * share, tiles);
    uvec2 sum = uvec2(0u);
    for (uint tile = first; tile < last; ++tile) sum += glsort_places_at(segment, size, tile, bucket);
    glsort_sums[GLSORT_LANE] = sum;
    barrier();
    if (column >= GLSORT_BUCKETS) return;
    uint start = glsort_segment_begin(segment);
    uint goal = 0u;
    for (uint i = 0u; i < GLSORT_PARTS; ++i) {
        uvec2 other = glsort_sums[i * GLSORT_COLUMNS + GLSORT_LANE % GLSORT_COLUMNS];
        start += other.x;
        if (i < part) goal += other.y - other.x;
    }
    goal += start;
    for (uint tile = first; tile < last; ++tile) {
        uvec2 places = glsort_places_at(segment, size, tile, bucket);
        glsort_moves_scatter((segment * glsort_op_tiles + tile) * GLSORT_BUCKETS + bucket,
                             uvec2(places.x, goal - places.x));
        goal += places.y - places.x;
    }
    if (part > 0u) return;
    glsort_buckets_scatter(segment * GLSORT_BUCKETS + bucket, start);
    if (segment == glsort_op_segments - 1u && bucket == GLSORT_BUCKETS - 1u)
        glsort_buckets_scatter(glsort_op_segments * GLSORT_BUCKETS, glsort_op_count);
}
