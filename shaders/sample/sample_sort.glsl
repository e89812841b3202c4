// Takes and sorts the samples of a segment in shared memory, with one group per segment.
//
// expects ports: samples
// expects parameters: tiles
// expects macros: GLSORT_ELEMENTS, GLSORT_SAMPLES

#include "lib/layout.glsl"
#include "sample/sample_group_sort.glsl"
#include "sample/sample_segment.glsl"
#include "sample/sample_record.glsl"
#include "sample/sample_draw.glsl"

uint glsort_segment = 0u;

glsort_Element glsort_unsorted(uint number) {
    return glsort_source_at(glsort_segment_begin(glsort_segment) +
                            glsort_sample_place(glsort_segment, number, glsort_segment_size(glsort_segment)));
}

void glsort_kernel(glsort_Index instance) {
    glsort_segment = glsort_number_of(instance);
    uint size = glsort_segment_size(glsort_segment);
    if (size == 0u) return;
    uint count = glsort_sample_count(size);
    glsort_Element sorted[GLSORT_ELEMENTS];
    glsort_sort_tile(count, sorted);
    uint room = glsort_op_tiles * GLSORT_SAMPLES;
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k) {
        uint place = glsort_sorted_place(k);
        if (place < count) glsort_samples_scatter(glsort_segment * room + place, sorted[k]);
    }
}
