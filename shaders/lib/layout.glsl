// Indices of records. In fragment and vertex shaders a `glsort_Index` is a texel. Z-order and row-wise layouts permute
// the bits of a record's number. So exclusive or and bit tests work on texels as on numbers (GPU-ABiSort, section
// 6.2.2). In compute shaders a `glsort_Index` is the number.
//
// GLSORT_LAYOUT_ROWS: (log2 of the width, width - 1) of a row-wise layout.
//
// allows macros: GLSORT_INDEX_IS_NUMBER, GLSORT_LAYOUT_ROWS, GLSORT_LAYOUT_Z_ORDER

// Spreads the lower 16 bits of x to the even places. All other bits of x must be zero.
// x = ---- ---- ---- ---- fedc ba98 7654 3210  to  -f-e -d-c -b-a -9-8 -7-6 -5-4 -3-2 -1-0
uint glsort_spread_bits(uint x) {
    x = (x | (x << 8u)) & 0x00ff00ffu;
    x = (x | (x << 4u)) & 0x0f0f0f0fu;
    x = (x | (x << 2u)) & 0x33333333u;
    return (x | (x << 1u)) & 0x55555555u;
}

// The inverse of glsort_spread_bits: gathers the even bits of x.
uint glsort_gather_bits(uint x) {
    x = x & 0x55555555u;
    x = (x | (x >> 1u)) & 0x33333333u;
    x = (x | (x >> 2u)) & 0x0f0f0f0fu;
    x = (x | (x >> 4u)) & 0x00ff00ffu;
    return (x | (x >> 8u)) & 0x0000ffffu;
}

uvec2 glsort_z_order_texel(uint number) { return uvec2(glsort_gather_bits(number), glsort_gather_bits(number >> 1u)); }
uint glsort_z_order_number(uvec2 texel) { return glsort_spread_bits(texel.x) | (glsort_spread_bits(texel.y) << 1u); }

uvec2 glsort_row_wise_texel(uint number, uint width) { return uvec2(number % width, number / width); }
uint glsort_row_wise_number(uvec2 texel, uint width) { return texel.y * width + texel.x; }

// As glsort_row_wise_texel, for a width that is a power of two. `rows` is (log2 of the width, width - 1).
uvec2 glsort_texel_in_rows(uint number, uvec2 rows) { return uvec2(number & rows.y, number >> rows.x); }

// Channel k of a texel, 0 to 3. Not `texel[k]`: some compilers put indexed vectors in memory.
uint glsort_channel_of(uvec4 texel, uint k) {
    uvec2 pair = (k & 2u) == 0u ? texel.xy : texel.zw;
    return (k & 1u) == 0u ? pair.x : pair.y;
}

#if defined(GLSORT_INDEX_IS_NUMBER)
#define glsort_Index uint
uint glsort_number_of(glsort_Index index) { return index; }
glsort_Index glsort_index_of(uint number) { return number; }
bool glsort_any_bit(glsort_Index bits) { return bits != 0u; }
#elif defined(GLSORT_LAYOUT_Z_ORDER)
#define glsort_Index uvec2
uint glsort_number_of(glsort_Index index) { return glsort_z_order_number(index); }
glsort_Index glsort_index_of(uint number) { return glsort_z_order_texel(number); }
bool glsort_any_bit(glsort_Index bits) { return (bits.x | bits.y) != 0u; }
#else
#define glsort_Index uvec2
uint glsort_number_of(glsort_Index index) { return (index.y << GLSORT_LAYOUT_ROWS.x) | index.x; }
glsort_Index glsort_index_of(uint number) { return glsort_texel_in_rows(number, GLSORT_LAYOUT_ROWS); }
bool glsort_any_bit(glsort_Index bits) { return (bits.x | bits.y) != 0u; }
#endif
