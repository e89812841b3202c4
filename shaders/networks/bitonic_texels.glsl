// Bitonic sequences (Batcher 1968) of keys in registers, four keys per texel.

// Sorts a bitonic sequence of four keys.
uvec4 glsort_sort_bitonic_four(uvec4 keys) {
    keys = uvec4(min(keys.xy, keys.zw), max(keys.xy, keys.zw));
    return uvec4(min(keys.xz, keys.yw), max(keys.xz, keys.yw)).xzyw;
}

// Puts the smaller keys of two texels in `a`, and the greater keys in `b`.
void glsort_compare_texels(inout uvec4 a, inout uvec4 b) {
    uvec4 smallest = min(a, b);
    b = max(a, b);
    a = smallest;
}
