#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "canvas.h"

namespace glsort::demo {

/// Buckets of a sample sort, and the max elements that a bucket should have.
struct BucketChart {
    std::span<const std::uint32_t> bounds;  ///< The start of each bucket, and the end of the last, n.
    std::uint32_t first = 0;                ///< The first of the shown buckets.
    std::uint32_t count = 0;
    std::uint32_t bound = 0;
    std::string_view name;  ///< Name of the bound, and a remark on the bound if there is room.
    std::string_view about;
    bool written = false;  ///< Whether the last op found the buckets.
};

/// A bar for each bucket. The height of the bar is the number of elements, and the colour is the colour of the first
/// element. A line marks the bound.
void draw_buckets(Canvas& canvas, Point from, Point to, const BucketChart& chart);

}  // namespace glsort::demo
