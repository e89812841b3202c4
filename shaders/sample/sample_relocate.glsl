// Moves the buckets of GLSORT_TOGETHER neighbouring tiles, two or four, to their places: the paper's step 8. The
// elements that these tiles have of one bucket go to neighbouring places, tile after tile, and are written together.
// GPUs write memory in units of 32 bytes.
//
// expects ports: moves, source, target
// expects macros: GLSORT_BUCKETS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SAMPLED_TILE

#include "lib/element.glsl"
#include "sample/sample_tiles.glsl"

// The start of a bucket in each of the tiles, 16 bits per tile.
#if GLSORT_TOGETHER == 2
#define glsort_Opens uint
uint glsort_open_in(glsort_Opens places, uint tile) { return places >> tile * 16u & 0xffffu; }
uint glsort_open_in_all(glsort_Opens places) { return (places & 0xffffu) + (places >> 16u); }
void glsort_set_open(inout glsort_Opens places, uint tile, uint place) { places |= place << tile * 16u; }
#else
#define glsort_Opens uvec2
uint glsort_open_in(glsort_Opens places, uint tile) { return places[tile / 2u] >> tile % 2u * 16u & 0xffffu; }
uint glsort_open_in_all(glsort_Opens places) {
    uvec2 sums = (places & 0xffffu) + (places >> 16u);
    return sums.x + sums.y;
}
void glsort_set_open(inout glsort_Opens places, uint tile, uint place) {
    places[tile / 2u] |= place << tile % 2u * 16u;
}
#endif

shared glsort_Opens glsort_opens[GLSORT_BUCKETS + 1u];
shared uint glsort_goal_of[GLSORT_BUCKETS];  // destination of a bucket of the tiles

void glsort_do_tiles(uint segment, uint size, uint number, uint begin, uint here) {
    uint row = number * GLSORT_BUCKETS;
    for (uint bucket = GLSORT_LANE; bucket <= GLSORT_BUCKETS; bucket += GLSORT_GROUP_SIZE) {
        glsort_Opens places = glsort_Opens(0u);
        for (uint tile = 0u; tile < uint(GLSORT_TOGETHER); ++tile) {
            uint place = min(here - min(here, tile * GLSORT_SAMPLED_TILE), GLSORT_SAMPLED_TILE);
            if (place > 0u && bucket < GLSORT_BUCKETS) {
                uvec2 move = glsort_moves_gather(row + tile * GLSORT_BUCKETS + bucket);
                place = move.x;
                if (tile == 0u) glsort_goal_of[bucket] = move.x + move.y;
            }
            glsort_set_open(places, tile, place);
        }
        glsort_opens[bucket] = places;
    }
    barrier();
    for (uint i = GLSORT_LANE; i < here; i += GLSORT_GROUP_SIZE) {
        // The last bucket that begins at or before the element. This bucket is never empty.
        uint bucket = 0u;
        uint end = GLSORT_BUCKETS;
        while (end - bucket > 1u) {
            uint middle = (bucket + end) / 2u;
            if (glsort_open_in_all(glsort_opens[middle]) <= i) bucket = middle;
            else end = middle;
        }
        uint rank = i - glsort_open_in_all(glsort_opens[bucket]);  // among the tiles' elements of the bucket
        glsort_Opens from = glsort_opens[bucket];
        glsort_Opens to = glsort_opens[bucket + 1u];
        // Finds the tile of the element: all earlier tiles together have fewer than `rank` + 1 elements of the bucket.
        uint before = 0u;
        uint place = 0u;
        for (uint tile = 0u; tile < uint(GLSORT_TOGETHER); ++tile) {
            uint first = glsort_open_in(from, tile);
            if (rank >= before) place = tile * GLSORT_SAMPLED_TILE + first + rank - before;
            before += glsort_open_in(to, tile) - first;
        }
        glsort_target_scatter(glsort_goal_of[bucket] + rank, glsort_source_gather(begin + place));
    }
}
