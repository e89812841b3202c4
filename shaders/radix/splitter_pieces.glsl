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

// The arrays have an entry for each tile. Behind the last tile there are pieces without elements.
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
    if (GLSORT_LANE < GLSORT_MAX_TILES) {
        glsort_firsts[GLSORT_LANE] = first;
        glsort_sources[GLSORT_LANE] = GLSORT_LANE * GLSORT_SAMPLED_TILE + begin;
        // All invocations need the size, and group_scan tells the size only to invocations below GLSORT_MAX_TILES.
        if (GLSORT_LANE == 0u) glsort_firsts[GLSORT_MAX_TILES] = size;
#if defined(GLSORT_SUBGROUPS_KHR)
        // One invocation speaks for its subgroup. A subgroup may run in parts. Then one invocation speaks for each
        // part.
        uint longest = subgroupMax(length);
        uint in_front = subgroupAdd(begin);
        if (subgroupElect()) {
            atomicMax(glsort_longest, longest);
            atomicAdd(glsort_in_front, in_front);
        }
#else
        atomicMax(glsort_longest, length);
        atomicAdd(glsort_in_front, begin);
#endif
    }
    barrier();
    return uvec2(glsort_in_front, glsort_firsts[GLSORT_MAX_TILES]);
}

// Whether the pieces are so short that neighbours should take a piece together.
bool glsort_has_short_pieces() { return glsort_longest <= 2u * GLSORT_PIECE_LANES; }

// What the kernel does with element `number` of the bucket, if the group sorts the bucket.
void glsort_take(uint number, glsort_Element record);

// What the kernel does with element `number` of a bucket of equal elements.
void glsort_move(uint number, glsort_Element record);

const uint GLSORT_PIECES = GLSORT_GROUP_SIZE / GLSORT_PIECE_LANES;
// As many loads at once as there are pieces for an invocation, but not too many for the registers.
const uint GLSORT_PIECES_AT_ONCE = clamp(GLSORT_MAX_TILES / GLSORT_PIECES, 1u, 8u);

// Takes all elements of short pieces. GLSORT_PIECE_LANES neighbours take a piece.
void glsort_take_short_pieces() {
    uint lane = GLSORT_LANE % GLSORT_PIECE_LANES;
    for (uint first = 0u; first < GLSORT_MAX_TILES; first += GLSORT_PIECES_AT_ONCE * GLSORT_PIECES)
        for (uint place = lane; place < glsort_longest; place += GLSORT_PIECE_LANES) {
            uint tile = first + GLSORT_LANE / GLSORT_PIECE_LANES;
            glsort_Element some[GLSORT_PIECES_AT_ONCE];
            // Loads outside of any branch are issued at once.
            for (uint k = 0u; k < GLSORT_PIECES_AT_ONCE; ++k)
                some[k] = glsort_source_gather(
                    min(glsort_sources[tile + k * GLSORT_PIECES] + place, glsort_op_count - 1u));
            for (uint k = 0u; k < GLSORT_PIECES_AT_ONCE; ++k) {
                uint number = glsort_firsts[tile + k * GLSORT_PIECES] + place;
                if (number < glsort_firsts[tile + k * GLSORT_PIECES + 1u]) glsort_take(number, some[k]);
            }
        }
}

// Element `number` of the bucket. A binary search finds the element's tile.
glsort_Element glsort_element_in_pieces(uint number, uint tiles) {
    uint tile = 0u;
    for (uint step = GLSORT_FIRST_STEP; step > 0u; step /= 2u)
        if (tile + step < tiles && glsort_firsts[tile + step] <= number) tile += step;
    return glsort_source_gather(glsort_sources[tile] + number - glsort_firsts[tile]);
}

const uint GLSORT_TAKEN_AT_ONCE = 4u;

// Takes elements `begin` to `end` - 1, from pieces of any length.
void glsort_take_pieces(uint begin, uint end, uint tiles) {
    for (uint first = begin + GLSORT_LANE; first < end; first += GLSORT_TAKEN_AT_ONCE * GLSORT_GROUP_SIZE) {
        glsort_Element some[GLSORT_TAKEN_AT_ONCE];
        for (uint k = 0u; k < GLSORT_TAKEN_AT_ONCE; ++k)
            some[k] = glsort_element_in_pieces(min(first + k * GLSORT_GROUP_SIZE, end - 1u), tiles);
        for (uint k = 0u; k < GLSORT_TAKEN_AT_ONCE; ++k)
            if (first + k * GLSORT_GROUP_SIZE < end) glsort_take(first + k * GLSORT_GROUP_SIZE, some[k]);
    }
}

// Moves all elements of a bucket of equal elements.
void glsort_move_pieces(uint size, uint tiles) {
    for (uint number = GLSORT_LANE; number < size; number += GLSORT_GROUP_SIZE)
        glsort_move(number, glsort_element_in_pieces(number, tiles));
}
