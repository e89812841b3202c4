// The numbers of samples, buckets and tiles in a sort by splitters.
//
// GLSORT_FOLLOWS_COUNT: the count is on the GPU, and may be far below the capacity. With fewer elements there are fewer
// samples and buckets.
//
// expects parameters: count
// expects macros: GLSORT_ALL_SAMPLES, GLSORT_BUCKETS, GLSORT_SAMPLED_TILE
// allows macros: GLSORT_EXPECTED, GLSORT_FOLLOWS_COUNT, GLSORT_MIN_BUCKETS

#if defined(GLSORT_FOLLOWS_COUNT)
// The least power of two with which buckets have at most GLSORT_EXPECTED elements on average. There are at least
// GLSORT_MIN_BUCKETS buckets.
uint glsort_buckets() {
    uint full = (glsort_op_count - 1u) / GLSORT_EXPECTED;
    return max(full > 0u ? 2u << findMSB(full) : 1u, GLSORT_MIN_BUCKETS);
}
#else
uint glsort_buckets() { return GLSORT_BUCKETS; }
#endif

// Max samples. Up to this number of elements, all elements are samples.
uint glsort_max_samples() { return GLSORT_ALL_SAMPLES / GLSORT_BUCKETS * glsort_buckets(); }

uint glsort_tiles() { return (glsort_op_count + GLSORT_SAMPLED_TILE - 1u) / GLSORT_SAMPLED_TILE; }

uint glsort_size_of(uint tile) { return min(glsort_op_count - tile * GLSORT_SAMPLED_TILE, GLSORT_SAMPLED_TILE); }
