// Sorts the buckets of a partition (sample_window.glsl) in shared memory: the paper's step 9.
//
// expects ports: source, starts, target
// expects parameters: buckets
// expects macros: GLSORT_ELEMENTS, GLSORT_GROUP_SIZE, GLSORT_LANE, GLSORT_SAMPLED_TILE
// allows parameters: windows
// allows macros: GLSORT_AGAIN, GLSORT_BUCKETS, GLSORT_OF_BUCKETS
// ignores macros: GLSORT_RANDOM

#include "lib/layout.glsl"
#include "sample/sample_group_sort.glsl"
#include "sample/sample_window.glsl"
#if defined(GLSORT_AGAIN)
#include "sample/sample_segment.glsl"
#endif

uint glsort_partition_begin = 0u;

glsort_Element glsort_unsorted(uint number) { return glsort_source_gather(glsort_partition_begin + number); }

void glsort_sort_partition(uvec2 bounds) {
    glsort_partition_begin = bounds.x;
    uint size = bounds.y - bounds.x;
    if (size == 0u) return;
    // sample_outgrown has already sorted this partition. Or the comparison is no order, and any order will do.
    if (size > GLSORT_SAMPLED_TILE) {
        for (uint place = GLSORT_LANE; place < size; place += GLSORT_GROUP_SIZE)
            glsort_target_scatter(glsort_partition_begin + place, glsort_source_gather(glsort_partition_begin + place));
        return;
    }
    glsort_Element sorted[GLSORT_ELEMENTS];
    glsort_sort_tile(size, sorted);
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = glsort_sorted_place(k);
        if (place < size) glsort_target_scatter(glsort_partition_begin + place, sorted[k]);
    }
}

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
#if defined(GLSORT_AGAIN)
    // Each of the first glsort_op_buckets groups has a bucket. The group sorts its bucket if the segment of the bucket
    // was not divided again. Each other group has all windows of a segment. The group sorts these windows if the
    // segment was divided again.
    bool whole = number < glsort_op_buckets;
    uint segment = whole ? number / GLSORT_OF_BUCKETS : number - glsort_op_buckets;
    bool divided = glsort_segment_size(segment) > 0u;
    if (divided == whole) return;
    uint begin = glsort_segment_begin(segment);
    uint windows = whole ? 1u : glsort_op_windows;
    for (uint window = 0u; window < windows; ++window) {
        glsort_sort_partition(whole ? uvec2(glsort_starts_gather(number), glsort_starts_gather(number + 1u))
                           : glsort_partition_of(segment * GLSORT_BUCKETS, GLSORT_BUCKETS, begin, window));
        barrier();
    }
#else
    glsort_sort_partition(glsort_partition_of(0u, glsort_op_buckets, 0u, number));
#endif
}
