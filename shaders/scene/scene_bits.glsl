// A record of bits, 1 for each visible item: four words of 32 items (src/glsort/plan/scene/pyramid_kernels.h).
//
// expects ports: bits, keyed
// expects parameters: items

#include "lib/layout.glsl"
#include "scene/keyed.glsl"

// The bits of 32 items from `first` on. Fetches outside of branches are issued side by side. In place of items behind
// the last one, the shader therefore fetches the last item again, and clears the surplus bits at the end.
uint glsort_bits_from(uint first) {
    if (first >= glsort_op_items) return 0u;
    uint last = first + min(31u, glsort_op_items - 1u - first);
    uint bits = 0u;
    for (uint item = first; item <= last; item += 8u)
        for (uint i = 0u; i < 8u; ++i)
            bits |= glsort_visible_bit(glsort_keyed_gather(min(item + i, last))) << item + i - first;
    return bits & 0xffffffffu >> 31u - (last - first);
}

void glsort_kernel(glsort_Index instance) {
    uint first = 128u * glsort_number_of(instance);
    glsort_bits_write(uvec4(glsort_bits_from(first), glsort_bits_from(first + 32u), glsort_bits_from(first + 64u),
                            glsort_bits_from(first + 96u)));
}
