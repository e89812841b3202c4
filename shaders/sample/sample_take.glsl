// Takes the samples of the only segment, one sample per instance.
//
// expects ports: samples
// expects parameters: count
// ignores parameters: segments, tiles
// ignores macros: GLSORT_BUCKETS

#include "lib/layout.glsl"
#include "sample/sample_record.glsl"
#include "sample/sample_draw.glsl"

void glsort_kernel(glsort_Index instance) {
    glsort_samples_write(glsort_source_at(glsort_sample_place(0u, glsort_number_of(instance), glsort_op_count)));
}
