// A record of keys in registers, four keys per texel.
//
// expects ports: target
// expects macros: GLSORT_ELEMENTS

#include "networks/bitonic_texels.glsl"

const int GLSORT_RECORD_TEXELS = int(GLSORT_ELEMENTS / 4u);

// Sorts a bitonic sequence (Batcher 1968).
void glsort_sort_bitonic(inout uvec4 keys[GLSORT_RECORD_TEXELS]) {
    for (int i = 0; i < GLSORT_RECORD_TEXELS / 2; ++i)
        glsort_compare_texels(keys[i], keys[i + GLSORT_RECORD_TEXELS / 2]);
    if (GLSORT_RECORD_TEXELS > 4)
        for (int i = 0; i < GLSORT_RECORD_TEXELS; ++i)
            if ((i & 2) == 0) glsort_compare_texels(keys[i], keys[i + 2]);
    if (GLSORT_RECORD_TEXELS > 2)
        for (int i = 0; i < GLSORT_RECORD_TEXELS; i += 2) glsort_compare_texels(keys[i], keys[i + 1]);
    for (int i = 0; i < GLSORT_RECORD_TEXELS; ++i) keys[i] = glsort_sort_bitonic_four(keys[i]);
}

// Writes the record of ascending keys. If the keys of the side are complements, `toward` is GLSORT_NONE.
void glsort_write_side(uvec4 keys[GLSORT_RECORD_TEXELS], uint toward) {
    for (int i = 0; i < GLSORT_RECORD_TEXELS; ++i)
        for (int k = 0; k < 4; ++k)
            glsort_target_write(uint(4 * i + k),
                                toward == 0u ? keys[i][k] : ~keys[GLSORT_RECORD_TEXELS - 1 - i][3 - k]);
}
