// The pieces of a bucket: in each sorted tile, the elements between the splitter in front of the bucket and the
// splitter at its end.
//
// expects ports: source
// expects macros: GLSORT_BUCKETS, GLSORT_FIRST_STEP, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SAMPLED_TILE
// expects macros: GLSORT_SAMPLES

#include "radix/splitter_samples.glsl"
#include "radix/splitter_select.glsl"

shared uint glsort_bounds[2u * GLSORT_BUCKETS];  // The start of each tile's piece, then the end of each.
shared uint glsort_firsts[GLSORT_BUCKETS];       // How many elements of the bucket are in earlier tiles.
shared uint glsort_sources[GLSORT_BUCKETS];      // The place of a piece in the source, minus the number above.

// Whether an element or sample of `tile` comes before a splitter of tile `home`. Not for the splitter's own tile.
bool glsort_in_front(glsort_Key code, uint tile, glsort_Key splitter, uint home) {
    return glsort_key_precedes(code, splitter) || (code == splitter && tile < home);
}

// How many elements of `tile` come up to the splitter. First searches among the samples of the tile, then among the
// elements between two samples, by three reads at once.
uint glsort_bound_in(uint tile, uint splitter) {
    uint home = splitter / GLSORT_SAMPLES;
    uint phase = glsort_phase_of(tile);
    if (tile == home) return phase + splitter % GLSORT_SAMPLES * GLSORT_SPACING + 1u;
    glsort_Key code = glsort_sample(splitter);
    uint samples = glsort_samples_of(tile);
    uint in_front = 0u;
    for (uint step = GLSORT_SAMPLES; step > 0u; step /= 2u) {
        uint next = in_front + step;
        if (next <= samples && glsort_in_front(glsort_sample(tile * GLSORT_SAMPLES + next - 1u), tile, code, home))
            in_front = next;
    }
    uint begin = tile * GLSORT_SAMPLED_TILE;
    uint low = in_front == 0u ? 0u : phase + (in_front - 1u) * GLSORT_SPACING + 1u;
    uint high = in_front == samples ? glsort_size_of(tile) : phase + in_front * GLSORT_SPACING;
    while (low < high) {
        uint last = high - 1u;
        uint quarter = (high - low) / 4u;
        uvec3 place = uvec3(low + quarter, min(low + 2u * quarter, last), min(low + 3u * quarter, last));
        glsort_Element at_first = glsort_source_gather(begin + place.x);
        glsort_Element at_second = glsort_source_gather(begin + place.y);
        glsort_Element at_third = glsort_source_gather(begin + place.z);
        bool first = glsort_in_front(glsort_compared(at_first), tile, code, home);
        bool second = glsort_in_front(glsort_compared(at_second), tile, code, home);
        bool third = glsort_in_front(glsort_compared(at_third), tile, code, home);
        low = third ? place.z + 1u : second ? place.y + 1u : first ? place.x + 1u : low;
        high = !first ? place.x : !second ? place.y : !third ? place.z : high;
    }
    return low;
}

// Finds the pieces. Returns the place of the bucket's first element in the result, and the number of elements.
uvec2 glsort_find_pieces(uint bucket, uint tiles) {
    uint samples = (tiles - 1u) * GLSORT_SAMPLES + glsort_samples_of(tiles - 1u);
    // How many samples come up to each splitter. If there are none, all elements come after the splitter.
    uvec2 up_to = uvec2(samples * bucket, samples * (bucket + 1u)) / GLSORT_BUCKETS;
    bool has_first = up_to.x > 0u;
    bool has_last = up_to.y > 0u && bucket + 1u < GLSORT_BUCKETS;
    uvec2 splitters = uvec2(0u);
    if (has_first || has_last)
        splitters = glsort_select((has_first ? has_last ? up_to : up_to.xx : up_to.yy) - 1u, samples);
    for (uint i = GLSORT_LANE; i < 2u * tiles; i += GLSORT_GROUP_SIZE) {
        bool end = i >= tiles;
        uint tile = end ? i - tiles : i;
        uint found = end && bucket + 1u == GLSORT_BUCKETS ? glsort_size_of(tile) : 0u;
        if (end ? has_last : has_first) found = glsort_bound_in(tile, end ? splitters.y : splitters.x);
        glsort_bounds[i] = found;
    }
    barrier();
    uint begin = GLSORT_LANE < tiles ? glsort_bounds[GLSORT_LANE] : 0u;
    uint length = GLSORT_LANE < tiles ? glsort_bounds[tiles + GLSORT_LANE] - begin : 0u;
    uint size;
    uint first = glsort_group_scan(length, GLSORT_BUCKETS, size);
    if (GLSORT_LANE < tiles) {
        glsort_firsts[GLSORT_LANE] = first;
        glsort_sources[GLSORT_LANE] = GLSORT_LANE * GLSORT_SAMPLED_TILE + begin - first;
    }
    barrier();
    uint in_front;
    glsort_group_scan(begin, GLSORT_BUCKETS, in_front);
    // All invocations need both totals, and group_scan tells them to the first invocations only.
    if (GLSORT_LANE == 0u) glsort_left_rank = uvec2(in_front, size);
    barrier();
    return glsort_left_rank;
}

// One step of a search for the last tile that begins at or before element `number` of the bucket. `tile`: the last such
// tile so far.
void glsort_search_tiles(inout uint tile, uint step, uint number, uint tiles) {
    uint next = tile + step;
    if (next < tiles && glsort_firsts[next] <= number) tile = next;
}

// The tile with element `number` of the bucket.
uint glsort_tile_with(uint number, uint tiles) {
    uint tile = 0u;
    for (uint step = GLSORT_FIRST_STEP; step > 0u; step /= 2u) glsort_search_tiles(tile, step, number, tiles);
    return tile;
}
