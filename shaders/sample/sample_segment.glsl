// The segments that a level of a sample sort divides separately: all glsort_op_count elements, or GLSORT_OF_BUCKETS
// neighbouring buckets of the previous level. `starts` has the starts of these buckets, and the end of the last one.
//
// A segment has room for glsort_op_tiles tiles. Random samples may let a segment outgrow its room, and so may a
// comparison that is no order. Such a segment is not divided. GLSORT_AGAIN: only segments with an outgrown bucket are
// divided again. Segments that are not divided count as empty and stay as they are.
//
// expects parameters: count, tiles
// expects macros: GLSORT_SAMPLED_TILE
// allows ports: starts
// allows macros: GLSORT_AGAIN, GLSORT_OF_BUCKETS, GLSORT_REST
// ignores parameters: seed, segments
// ignores macros: GLSORT_RANDOM

#if defined(GLSORT_OF_BUCKETS)
uint glsort_segment_begin(uint segment) { return glsort_starts_gather(segment * GLSORT_OF_BUCKETS); }
#else
uint glsort_segment_begin(uint segment) { return segment * glsort_op_count; }
#endif

#if defined(GLSORT_AGAIN)
uint glsort_segment_size(uint segment) {
    uint first = segment * GLSORT_OF_BUCKETS;
    uint begin = glsort_starts_gather(first);
    uint end = begin;
    uint largest = 0u;
    for (uint i = 1u; i <= GLSORT_OF_BUCKETS; ++i) {
        uint next = glsort_starts_gather(first + i);
        largest = max(largest, next - end);
        end = next;
    }
    bool fits = end - begin <= glsort_op_tiles * GLSORT_SAMPLED_TILE;
    return fits && largest > GLSORT_SAMPLED_TILE ? end - begin : 0u;
}
#else
uint glsort_segment_size(uint segment) {
    uint size = glsort_segment_begin(segment + 1u) - glsort_segment_begin(segment);
#if !defined(GLSORT_REST)
    if (size > glsort_op_tiles * GLSORT_SAMPLED_TILE) return 0u;
#endif
    return size;
}
#endif
