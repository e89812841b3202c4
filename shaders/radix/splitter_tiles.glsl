// The tiles of a sort by splitters.
//
// expects parameters: count
// expects macros: GLSORT_SAMPLED_TILE

uint glsort_tiles() { return (glsort_op_count + GLSORT_SAMPLED_TILE - 1u) / GLSORT_SAMPLED_TILE; }

uint glsort_size_of(uint tile) { return min(glsort_op_count - tile * GLSORT_SAMPLED_TILE, GLSORT_SAMPLED_TILE); }
