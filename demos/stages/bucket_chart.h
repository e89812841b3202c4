#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "canvas.h"

namespace glsort::demo {

/// Buckets of a sample sort, and how many elements none of them should exceed.
struct BucketChart {
    std::span<const std::uint32_t> bounds;  ///< Where each bucket begins, and where the last one ends, at n.
    std::uint32_t first = 0;                ///< The buckets that are shown.
    std::uint32_t count = 0;
    std::uint32_t bound = 0;
    std::string_view name;  ///< Of the bound, and what is to be said of it where there is room.
    std::string_view about;
    bool written = false;  ///< Whether the last op has found them.
};

/// A bar for each bucket, as high as it has elements, in the colour of its first; and a line at the bound.
void draw_buckets(Canvas& canvas, Point from, Point to, const BucketChart& chart);

}  // namespace glsort::demo
