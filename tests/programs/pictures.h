#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>

#include "support/picture.h"

/// What pictures show.
namespace glsort::test {

inline std::array<int, 3> colour_at(const demo::Picture& picture, int x, int y) {
    const std::size_t at = 4 * (static_cast<std::size_t>(y) * picture.width + x);
    return {picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]};
}

/// The share of the pixels of a rectangle that satisfy a condition.
inline double share(const demo::Picture& picture, int left, int top, int right, int bottom,
                    const std::function<bool(std::array<int, 3>)>& condition) {
    int found = 0;
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x)
            found += condition(colour_at(picture, x, y)) ? 1 : 0;
    return static_cast<double>(found) / ((right - left) * (bottom - top));
}

/// The share of pixels that differ plainly.
inline double difference(const demo::Picture& a, const demo::Picture& b) {
    REQUIRE(a.width == b.width);
    REQUIRE(a.height == b.height);
    int found = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            const auto p = colour_at(a, x, y);
            const auto q = colour_at(b, x, y);
            int most = 0;
            for (int i = 0; i < 3; ++i)
                most = std::max(most, std::abs(p[i] - q[i]));
            found += most > 40 ? 1 : 0;
        }
    return static_cast<double>(found) / (a.width * a.height);
}

}  // namespace glsort::test
