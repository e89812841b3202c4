// The segments that a level of a sample sort divides, each by itself: all records (op_count), or OF_BUCKETS
// neighbouring buckets of the level before. Where these begin, and the last one ends, is in `starts`.
//
// AGAIN: only segments of which a bucket has outgrown a tile are divided again. RANDOM: only segments that have not
// outgrown their room are. Others count as empty, and stay as they are.

#if defined(OF_BUCKETS)
uint segment_begin(uint segment) { return starts_gather(segment * OF_BUCKETS); }
#else
uint segment_begin(uint segment) { return segment * op_count; }
#endif

#if defined(AGAIN)
uint segment_size(uint segment) {
    uint first = segment * OF_BUCKETS;
    uint begin = starts_gather(first);
    uint end = begin;
    uint largest = 0u;
    for (uint i = 1u; i <= OF_BUCKETS; ++i) {
        uint next = starts_gather(first + i);
        largest = max(largest, next - end);
        end = next;
    }
    return largest > SAMPLED_TILE ? end - begin : 0u;
}
#else
uint segment_size(uint segment) {
    uint size = segment_begin(segment + 1u) - segment_begin(segment);
#if defined(RANDOM)
    if (size > op_tiles * SAMPLED_TILE) return 0u;
#endif
    return size;
}
#endif
