// Moves the caller's values of several words to the places of their keys. A value takes GLSORT_CHUNKS elements of
// `values`. An instance moves one of these elements.
//
// expects ports: records, values, values_out
// expects macros: GLSORT_CHUNKS

#include "lib/element.glsl"
#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    uint number = glsort_number_of(instance);
    uint index = glsort_index_in_input(glsort_records_gather(number / GLSORT_CHUNKS));
    glsort_values_out_write(glsort_values_gather(index * GLSORT_CHUNKS + number % GLSORT_CHUNKS));
}
