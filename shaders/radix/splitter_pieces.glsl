// The pieces of a bucket: its elements in each tile.
//
// expects ports: source, starts
// expects parameters: count
// expects macros: GLSORT_FIRST_STEP, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_MAX_TILES, GLSORT_PIECE_LANES
// expects macros: GLSORT_SAMPLED_TILE
// allows macros: GLSORT_SUBGROUPS_KHR

#include "lib/element.glsl"
#include "lib/group_scan.glsl"
#include "radix/splitter_tiles.glsl"

#pragma optionNV(unroll all)

shared uint glsort_firsts[GLSORT_MAX_TILES + 1u];  // How many elements of the bucket are in earlier tiles.
shared uint glsort_sources[GLSORT_MAX_TILES];      // The place of a piece in the source.
shared uint glsort_longest;                        // Elements of the longest piece.
shared uint glsort_in_front;                       // Elements of earlier buckets.

// Finds the pieces. Returns the place of the bucket's first element in the result, and the number of elements.
uvec2 glsort_find_pieces(uint bucket, uint tiles) {
    uint begin = 0u;
    uint length = 0u;
    if (GLSORT_LANE < tiles) {
        uint start = GLSORT_LANE * glsort_buckets() + bucket;
        begin = glsort_starts_gather(start);
        uint end = bucket + 1u < glsort_buckets() ? glsort_starts_gather(start + 1u) : glsort_size_of(GLSORT_LANE);
        length = end - begin;
    }
    if (GLSORT_LANE == 0u) glsort_longest = glsort_in_front = 0u;
    uint size;
    uint first = glsort_group_scan(length, GLSORT_MAX_TILES, size);
    if (GLSORT_LANE < tiles) {
        glsort_firsts[GLSORT_LANE] = first;
        glsort_sources[GLSORT_LANE] = GLSORT_LANE * GLSORT_SAMPLED_TILE + begin;
#if defined(GLSORT_SUBGROUPS_KHR)
        // The longest piece of all is also the longest of its subgroup, or of a part of this subgroup.
        if (subgroupMax(length) == length)
#endif
            atomicMax(glsort_longest, length);
        atomicAdd(glsort_in_front, begin);
    }
    // All invocations need the size, and group_scan tells the size only to invocations below GLSORT_MAX_TILES.
    if (GLSORT_LANE == 0u) glsort_firsts[tiles] = size;
    barrier();
    return uvec2(glsort_in_front, glsort_firsts[tiles]);
}

// What the kernel does with element `number` of the bucket.
void glsort_take(uint number, glsort_Element record);

const uint GLSORT_PIECES = GLSORT_GROUP_SIZE / GLSORT_PIECE_LANES;
// As many loads at once as there are pieces for an invocation, but not too many for the registers.
const uint GLSORT_PIECES_AT_ONCE = clamp(GLSORT_MAX_TILES / GLSORT_PIECES, 1u, 8u);

// Takes all elements of short pieces. GLSORT_PIECE_LANES neighbours take a piece.
void glsort_take_short_pieces(uint tiles) {
    uint lane = GLSORT_LANE % GLSORT_PIECE_LANES;
    for (uint first = GLSORT_LANE / GLSORT_PIECE_LANES; first < tiles; first += GLSORT_PIECES_AT_ONCE * GLSORT_PIECES)
        for (uint place = lane; place < glsort_longest; place += GLSORT_PIECE_LANES) {
            glsort_Element some[GLSORT_PIECES_AT_ONCE];
            // Loads outside of any branch are issued at once.
            for (uint k = 0u; k < GLSORT_PIECES_AT_ONCE; ++k) {
                uint tile = min(first + k * GLSORT_PIECES, tiles - 1u);
                some[k] = glsort_source_gather(min(glsort_sources[tile] + place, glsort_op_count - 1u));
            }
            for (uint k = 0u; k < GLSORT_PIECES_AT_ONCE; ++k) {
                uint tile = first + k * GLSORT_PIECES;
                uint number = glsort_firsts[min(tile, tiles)] + place;
                if (number < glsort_firsts[min(tile + 1u, tiles)]) glsort_take(number, some[k]);
            }
        }
}

const uint GLSORT_TAKEN_AT_ONCE = 4u;

// Takes all elements of pieces of any length. Each element is searched among the tiles.
void glsort_take_any_pieces(uint size, uint tiles) {
    for (uint first = GLSORT_LANE; first < size; first += GLSORT_TAKEN_AT_ONCE * GLSORT_GROUP_SIZE) {
        glsort_Element some[GLSORT_TAKEN_AT_ONCE];
        for (uint k = 0u; k < GLSORT_TAKEN_AT_ONCE; ++k) {
            uint number = min(first + k * GLSORT_GROUP_SIZE, size - 1u);
            uint tile = 0u;
            for (uint step = GLSORT_FIRST_STEP; step > 0u; step /= 2u)
                if (tile + step < tiles && glsort_firsts[tile + step] <= number) tile += step;
            some[k] = glsort_source_gather(glsort_sources[tile] + number - glsort_firsts[tile]);
        }
        for (uint k = 0u; k < GLSORT_TAKEN_AT_ONCE; ++k)
            if (first + k * GLSORT_GROUP_SIZE < size) glsort_take(first + k * GLSORT_GROUP_SIZE, some[k]);
    }
}

void glsort_take_pieces(uint size, uint tiles) {
    if (glsort_longest <= 2u * GLSORT_PIECE_LANES) glsort_take_short_pieces(tiles);
    else glsort_take_any_pieces(size, tiles);
}
