// The samples of a segment whose tiles of GLSORT_SAMPLED_TILE elements are sorted. A full tile has GLSORT_SAMPLES
// samples, and a partly filled last tile has proportionally fewer.
//
// expects macros: GLSORT_SAMPLED_TILE, GLSORT_SAMPLES
// allows parameters: seed
// allows macros: GLSORT_DITHERED, GLSORT_RANDOM

const uint GLSORT_SAMPLE_SPACING = GLSORT_SAMPLED_TILE / GLSORT_SAMPLES;

uint glsort_sample_count(uint size) { return size / GLSORT_SAMPLE_SPACING; }

// The place of sample `number` in the segment.
#if defined(GLSORT_RANDOM)
// A bijection in which every bit of x affects every bit of the result. The multipliers are from C. Wellons,
// "Prospecting for Hash Functions", 2018.
uint glsort_hash(uint x) {
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return x ^ (x >> 16u);
}
uint glsort_sample_place(uint segment, uint number, uint size) {
    uint tile = number / GLSORT_SAMPLES * GLSORT_SAMPLED_TILE;
    return tile + glsort_hash(number ^ glsort_hash(segment ^ glsort_hash(glsort_op_seed))) %
                      min(size - tile, GLSORT_SAMPLED_TILE);
}
#elif defined(GLSORT_DITHERED)
// Equidistant samples. Their start varies evenly from tile to tile, like multiples of the golden ratio. With a fixed
// start, the gaps between samples would add up if all tiles were alike.
uint glsort_sample_place(uint segment, uint number, uint size) {
    uint tile = number / GLSORT_SAMPLES;
    uint phase = (tile * 0x9e3779b9u >> 16u) * GLSORT_SAMPLE_SPACING >> 16u;
    bool whole = size - tile * GLSORT_SAMPLED_TILE >= GLSORT_SAMPLED_TILE;
    return number * GLSORT_SAMPLE_SPACING + (whole ? phase : GLSORT_SAMPLE_SPACING - 1u);
}
#else
// Equidistant samples, each at the end of the elements that the sample represents.
uint glsort_sample_place(uint segment, uint number, uint size) { return (number + 1u) * GLSORT_SAMPLE_SPACING - 1u; }
#endif
