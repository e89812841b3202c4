#include <glsort/stream/stream.h>
#include <algorithm>
#include <bit>

namespace glsort {
namespace {

void append_row_wise(std::vector<Rectangle>& out, std::uint32_t width, std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t first_row = begin / width;
    const std::uint32_t last_row = (end - 1) / width;
    const std::uint32_t first_x = begin % width;
    const std::uint32_t last_x = (end - 1) % width + 1;
    if (first_row == last_row) {
        out.push_back({first_x, first_row, last_x, first_row + 1});
        return;
    }
    std::uint32_t full_begin = first_row;
    std::uint32_t full_end = last_row + 1;
    if (first_x > 0) {
        out.push_back({first_x, first_row, width, first_row + 1});
        ++full_begin;
    }
    if (last_x < width) --full_end;
    if (full_begin < full_end) out.push_back({0, full_begin, width, full_end});
    if (last_x < width) out.push_back({0, last_row, last_x, last_row + 1});
}

/// The largest aligned square, or half of such a square, that begins at record `begin` in Z-order and ends at or before
/// `end`. Moves `begin` behind the rectangle.
Rectangle take_z_order(std::uint32_t& begin, std::uint32_t end) {
    // The range is shorter than 2^32, so no power of two in the range exceeds 2^31.
    const std::uint32_t aligned = begin == 0 ? 0x80000000u : begin & (~begin + 1);
    const std::uint32_t length = std::min(aligned, std::bit_floor(end - begin));
    const int bits = std::countr_zero(length);
    const Texel corner = texel_of({Layout::z_order, 0}, begin);
    begin += length;
    return {corner.x, corner.y, corner.x + (1u << ((bits + 1) / 2)), corner.y + (1u << (bits / 2))};
}

}  // namespace

Rectangle bounding_box(const StreamLayout& layout, std::uint32_t count) {
    if (count == 0) return {};
    if (layout.kind == Layout::row_wise) return {0, 0, std::min(count, layout.width), (count - 1) / layout.width + 1};
    // The first rectangle begins at the origin.
    std::uint32_t begin = 0;
    Rectangle box = take_z_order(begin, count);
    while (begin < count) {
        const Rectangle part = take_z_order(begin, count);
        box = {0, 0, std::max(box.x1, part.x1), std::max(box.y1, part.y1)};
    }
    return box;
}

StreamLayout stream_layout(Layout kind, std::uint32_t count) {
    const int bits = count < 2 ? 0 : std::bit_width(count - 1);
    return {kind, 1u << ((bits + 1) / 2)};
}

std::vector<Rectangle> rectangles(const StreamLayout& layout, std::uint32_t begin, std::uint32_t end) {
    std::vector<Rectangle> out;
    append_rectangles(out, layout, begin, end);
    return out;
}

void append_rectangles(std::vector<Rectangle>& out, const StreamLayout& layout, std::uint32_t begin,
                       std::uint32_t end) {
    if (begin >= end) return;
    if (layout.kind == Layout::row_wise) return append_row_wise(out, layout.width, begin, end);
    while (begin < end)
        out.push_back(take_z_order(begin, end));
}

std::uint32_t max_rectangles(const StreamLayout& layout, std::uint32_t begin, std::uint32_t end) {
    if (begin >= end) return 0;
    const std::uint32_t length = end - begin;
    const bool aligned = begin == 0 || (begin & (~begin + 1)) >= length;
    if (layout.kind == Layout::row_wise) {
        // If rows are a power of two long, an aligned range lies in one row or begins at the start of a row.
        if (!aligned || !std::has_single_bit(layout.width)) return 3;
        return length > layout.width ? 2 : 1;
    }
    // An aligned range has a rectangle for each 1 among the bits of its length. Of all lengths up to this one, a power
    // of two minus 1 has the most ones. Any other range first climbs to an aligned start.
    if (aligned) return static_cast<std::uint32_t>(std::bit_width(std::uint64_t{length} + 1) - 1);
    return 2 * static_cast<std::uint32_t>(std::bit_width(end));
}

}  // namespace glsort
