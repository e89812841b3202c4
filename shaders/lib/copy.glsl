// Copies the elements of the domain. GLSORT_ELEMENTS: elements per record. Places past the end of the input
// (glsort_op_count elements) get the last element again.
//
// expects ports: source, target
// allows parameters: count
// allows macros: GLSORT_ELEMENTS

#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
#if defined(GLSORT_ELEMENTS)
    for (uint k = 0u; k < GLSORT_ELEMENTS; ++k)
        glsort_target_write(
            k, glsort_source_gather(min(glsort_number_of(instance) * GLSORT_ELEMENTS + k, glsort_op_count - 1u)));
#else
    glsort_target_write(glsort_source_gather(glsort_number_of(instance)));
#endif
}
