// A record of bits, 1 for each visible item: four words of 32 items (src/glsort/plan/scene/pyramid_kernels.h).
//
// expects ports: bits, keyed
// expects parameters: items
// expects macros: GLSORT_KEY_WORDS

#include "lib/layout.glsl"

// 32 items from `first` on.
uint glsort_bits_from(uint first) {
    uint bits = 0u;
    uint end = min(first + 32u, glsort_op_items);
    for (uint item = first; item < end; ++item)
#if GLSORT_KEY_WORDS == 1
        bits |= glsort_keyed_gather(item).y << item - first;
#else
        bits |= glsort_keyed_gather(item).z << item - first;
#endif
    return bits;
}

void glsort_kernel(glsort_Index instance) {
    uint first = 128u * glsort_number_of(instance);
    glsort_bits_write(uvec4(glsort_bits_from(first), glsort_bits_from(first + 32u), glsort_bits_from(first + 64u),
                            glsort_bits_from(first + 96u)));
}
