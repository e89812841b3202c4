#pragma once

#include <glsort/spec.h>
#include <cstdint>
#include <vector>

/// Layouts: how the 1D index of a record maps to a texel, and back (GPU-ABiSort, section 6.2).
///
/// Both layouts permute the bits of the index (row-wise where the width is a power of two), so an
/// exclusive or of indexes is an exclusive or of texels, and a test for one bit of an index is a test
/// for one bit of x or y. Kernels use that to compute in texels without ever leaving them.

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

/// A layout with its one parameter.
struct StreamLayout {
    Layout kind = Layout::row_wise;
    std::uint32_t width = 1;  ///< Records a row holds; read by `row_wise` only, any value above 0.
    friend bool operator==(const StreamLayout&, const StreamLayout&) = default;
};

/// Spreads the lower 16 bits of `x` to the even places:
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

/// Gathers the even bits of `x` in its lower half: the inverse of `spread_bits`.
constexpr std::uint32_t gather_bits(std::uint32_t x) {
    x &= 0x55555555u;
    x = (x | x >> 1) & 0x33333333u;
    x = (x | x >> 2) & 0x0f0f0f0fu;
    x = (x | x >> 4) & 0x00ff00ffu;
    x = (x | x >> 8) & 0x0000ffffu;
    return x;
}

/// The texel of record `index`. Z-order takes even bits of the index as x, odd bits as y.
constexpr Texel texel_of(const StreamLayout& layout, std::uint32_t index) {
    if (layout.kind == Layout::z_order) return {gather_bits(index), gather_bits(index >> 1)};
    return {index % layout.width, index / layout.width};
}

/// The record at `texel`: the inverse of `texel_of`.
constexpr std::uint32_t index_of(const StreamLayout& layout, Texel texel) {
    if (layout.kind == Layout::z_order) return spread_bits(texel.x) | spread_bits(texel.y) << 1;
    return texel.y * layout.width + texel.x;
}

/// The bounding box of records 0 ... count-1, lower left corner at (0, 0): the size their texture
/// has. (0, 0) for no records. In Z-order at most 1.5 `count` texels.
Rectangle bounding_box(const StreamLayout& layout, std::uint32_t count);

/// The layout of the streams of a program whose largest stream has `count` records: row-wise, a
/// power of two close to the square root, so that textures are about square.
StreamLayout stream_layout(Layout kind, std::uint32_t count);

/// Disjoint rectangles whose texels are exactly those of records begin ... end-1.
///
/// Row-wise at most 3. In Z-order the aligned power-of-two blocks of the range: at most 2 for each
/// bit of `end`. (No two that follow each other have a whole side in common.)
std::vector<Rectangle> rectangles(const StreamLayout& layout, std::uint32_t begin, std::uint32_t end);

/// A bound on the number of `rectangles` of a range, for shorter ranges as well: these may have more.
///
/// A range is aligned where it begins at a multiple of a power of two that is not below its length. Where this
/// range is aligned, the bound holds for all aligned ranges that are no longer, wherever they begin. Else it
/// holds for all ranges that end no later.
std::uint32_t most_rectangles(const StreamLayout& layout, std::uint32_t begin, std::uint32_t end);

}  // namespace glsort
