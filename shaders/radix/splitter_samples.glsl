// The samples of a sort by splitters. A sorted tile has a sample in every GLSORT_SPACING elements. In each tile the
// samples begin at a different place, the phase of the tile. A sample consists of the compared bits of its element.
//
// expects parameters: count
// expects macros: GLSORT_SAMPLED_TILE, GLSORT_SAMPLES

#include "radix/compared_bits.glsl"

const uint GLSORT_SPACING = GLSORT_SAMPLED_TILE / GLSORT_SAMPLES;

// The place of sample 0 in the tile.
uint glsort_phase_of(uint tile) { return (tile * 0x9e3779b9u >> 16u) * GLSORT_SPACING >> 16u; }

uint glsort_size_of(uint tile) { return min(glsort_op_count - tile * GLSORT_SAMPLED_TILE, GLSORT_SAMPLED_TILE); }

uint glsort_samples_of(uint tile) {
    uint size = glsort_size_of(tile);
    uint phase = glsort_phase_of(tile);
    return size > phase ? (size - phase - 1u) / GLSORT_SPACING + 1u : 0u;
}
