#pragma once

#include <glsort/spec.h>
#include <cstdint>
#include <vector>

/// Layouts: how the 1D index of a record maps to a texel, and back (GPU-ABiSort, section 6.2).
///
/// Both layouts permute the bits of the index; row-wise does so if the width is a power of two. An exclusive or of
/// indices is therefore an exclusive or of texels. A test for one bit of an index is a test for one bit of x or y.
/// Kernels use both facts to compute with texels and never convert them to indices.

namespace glsort {

/// A place in a 2D texture, in texels from its lower left corner.
struct Texel {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    friend bool operator==(const Texel&, const Texel&) = default;
};

/// A rectangle of texels: x from `x0` up to but not including `x1`, y alike.
struct Rectangle {
    std::uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    friend bool operator==(const Rectangle&, const Rectangle&) = default;
};

/// A layout and its parameter, the width.
struct StreamLayout {
    Layout kind = Layout::row_wise;
    std::uint32_t width = 1;  ///< Records per row, above 0; z_order ignores it.
    friend bool operator==(const StreamLayout&, const StreamLayout&) = default;
};

/// Spreads the lower 16 bits of `x` to the even bit positions:
///   x = ---- ---- ---- ---- fedc ba98 7654 3210
///     = ---- ---- fedc ba98 ---- ---- 7654 3210
///     = ---- fedc ---- ba98 ---- 7654 ---- 3210
///     = --fe --dc --ba --98 --76 --54 --32 --10
///     = -f-e -d-c -b-a -9-8 -7-6 -5-4 -3-2 -1-0
constexpr std::uint32_t spread_bits(std::uint32_t x) {
    x &= 0x0000ffffu;
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    x = (x | x << 1) & 0x55555555u;
    return x;
}

/// Gathers the even bits of `x` in the lower half: the inverse of `spread_bits`.
constexpr std::uint32_t gather_bits(std::uint32_t x) {
    x &= 0x55555555u;
    x = (x | x >> 1) & 0x33333333u;
    x = (x | x >> 2) & 0x0f0f0f0fu;
    x = (x | x >> 4) & 0x00ff00ffu;
    x = (x | x >> 8) & 0x0000ffffu;
    return x;
}

/// The texel of record `index`. In Z-order, the even bits of the index are x and the odd bits are y.
constexpr Texel texel_of(const StreamLayout& layout, std::uint32_t index) {
    if (layout.kind == Layout::z_order) return {gather_bits(index), gather_bits(index >> 1)};
    return {index % layout.width, index / layout.width};
}

/// The record at `texel`: the inverse of `texel_of`.
constexpr std::uint32_t index_of(const StreamLayout& layout, Texel texel) {
    if (layout.kind == Layout::z_order) return spread_bits(texel.x) | spread_bits(texel.y) << 1;
    return texel.y * layout.width + texel.x;
}

/// The bounding box of records 0 ... count-1, with its lower left corner at (0, 0). It is the size of their texture.
/// (0, 0) for no records. In Z-order it has at most 1.5 `count` texels.
Rectangle bounding_box(const StreamLayout& layout, std::uint32_t count);

/// The layout for a program whose largest stream has `count` records. The row width is a power of two close to the
/// square root, so that textures are about square.
StreamLayout stream_layout(Layout kind, std::uint32_t count);

/// Disjoint rectangles that cover exactly the texels of records begin ... end-1.
///
/// Row-wise: at most 3. Z-order: the aligned power-of-two blocks of the range, at most 2 for each bit of `end`.
/// Successive rectangles never share a full side.
std::vector<Rectangle> rectangles(const StreamLayout& layout, std::uint32_t begin, std::uint32_t end);

/// An upper bound on the number of `rectangles`, for this range and for shorter ranges. A shorter range may need more
/// rectangles than a longer one.
///
/// A range is aligned if its start is a multiple of a power of two that is not below its length. If this range is
/// aligned, the bound holds for every aligned range of at most this length, wherever it begins. Otherwise the bound
/// holds for every range that ends no later.
std::uint32_t max_rectangles(const StreamLayout& layout, std::uint32_t begin, std::uint32_t end);

}  // namespace glsort
