// The segments that a level of a sample sort divides, each by itself: all records (op_count), or, with STARTS, the
// buckets of the level before. A segment begins with every STRIDE-th element of `starts`, which has one more than
// there are buckets.

#if defined(STARTS)
uint segment_begin(uint segment) { return starts_gather(segment * STRIDE); }
#else
uint segment_begin(uint segment) { return segment * op_count; }
#endif
uint segment_size(uint segment) { return segment_begin(segment + 1u) - segment_begin(segment); }
