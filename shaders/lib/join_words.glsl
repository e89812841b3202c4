// Makes elements of three words, each from three elements of one word, which a pixel unpack has put into a texture.
//
// expects ports: source, target

#include "lib/layout.glsl"

void glsort_kernel(glsort_Index instance) {
    uint first = glsort_number_of(instance) * 3u;
    glsort_target_write(
        uvec3(glsort_source_gather(first), glsort_source_gather(first + 1u), glsort_source_gather(first + 2u)));
}
