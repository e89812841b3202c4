// Merges the pieces of a bucket that has outgrown its group. The group merges in global memory, which is slow but
// rarely needed. Each element finds its place in the neighbouring run by a binary search. Stable.
//
// `spare` has two halves, with room for all elements each. A bucket uses its own places in both.
//
// expects ports: source, spare, target
// expects parameters: count
// expects macros: GLSORT_GROUP_SIZE, GLSORT_LANE

#include "radix/splitter_pieces.glsl"

// How many elements of the bucket are in the tiles before `tile`.
uint glsort_first_of(uint tile, uint tiles, uint size) { return tile < tiles ? glsort_firsts[tile] : size; }

void glsort_merge_outgrown(uint begin, uint size, uint tiles) {
    for (uint number = GLSORT_LANE; number < size; number += GLSORT_GROUP_SIZE) {
        uint source = glsort_sources[glsort_tile_with(number, tiles)];
        glsort_spare_scatter(begin + number, glsort_source_gather(source + number));
    }
    uint from = begin;
    uint to = glsort_op_count + begin;
    // A run consists of the elements of `run` neighbouring tiles.
    for (uint run = 1u; run < tiles; run *= 2u) {
        memoryBarrierBuffer();
        barrier();
        for (uint number = GLSORT_LANE; number < size; number += GLSORT_GROUP_SIZE) {
            uint first_tile = glsort_tile_with(number, tiles) / run * run;
            bool left = first_tile / run % 2u == 0u;
            uint other_tile = left ? first_tile + run : first_tile - run;
            uint own = glsort_first_of(first_tile, tiles, size);
            uint other = glsort_first_of(other_tile, tiles, size);
            glsort_Element mine = glsort_spare_load(from + number);
            glsort_Key code = glsort_compared(mine);
            uint low = other;
            uint high = glsort_first_of(other_tile + run, tiles, size);
            while (low < high) {
                uint middle = (low + high) / 2u;
                glsort_Key met = glsort_compared(glsort_spare_load(from + middle));
                if (left ? glsort_key_precedes(met, code) : !glsort_key_precedes(code, met)) low = middle + 1u;
                else high = middle;
            }
            glsort_spare_scatter(to + min(own, other) + (number - own) + (low - other), mine);
        }
        uint merged = to;
        to = from;
        from = merged;
    }
    memoryBarrierBuffer();
    barrier();
    for (uint number = GLSORT_LANE; number < size; number += GLSORT_GROUP_SIZE)
        glsort_target_scatter(begin + number, glsort_spare_load(from + number));
}
