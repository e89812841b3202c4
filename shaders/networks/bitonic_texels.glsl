// Bitonic sequences (Batcher 1968) of keys in registers, four to a texel.

// Sorts a bitonic sequence of four.
uvec4 glsort_sort_bitonic_four(uvec4 keys) {
    keys = uvec4(min(keys.xy, keys.zw), max(keys.xy, keys.zw));
    return uvec4(min(keys.xz, keys.yw), max(keys.xz, keys.yw)).xzyw;
}

// Puts the lesser keys of two texels to `a`.
void glsort_compare_texels(inout uvec4 a, inout uvec4 b) {
    uvec4 least = min(a, b);
    b = max(a, b);
    a = least;
}
