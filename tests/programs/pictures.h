#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <set>
#include <vector>

#include "support/palette.h"
#include "support/picture.h"

/// The contents of pictures.
namespace glsort::test {

using Pixel = std::array<int, 3>;

inline Pixel colour_at(const demo::Picture& picture, int x, int y) {
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

/// The share of pixels that differ clearly.
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

/// Places of keys, by colour. -1: the colour of a pixel is no key's colour.
class KeyColours {
  public:
    explicit KeyColours(int count) {
        for (int i = 0; i < count; ++i) {
            const demo::Colour c = demo::key_colour(static_cast<float>(i) / static_cast<float>(count - 1));
            colours_.push_back({c.red, c.green, c.blue});
        }
    }
    int place(Pixel pixel) const {
        const auto found = std::ranges::find(colours_, pixel);
        return found == colours_.end() ? -1 : static_cast<int>(found - colours_.begin());
    }

  private:
    std::vector<Pixel> colours_;
};

/// The bars of a picture, from left to right, as places. The bars come from the longest line of pixels that has every
/// key once. Empty if there is no such line.
inline std::vector<int> bars_of(const demo::Picture& picture, int count, int right) {
    const KeyColours colours(count);
    for (int y = picture.height - 1; y > 0; --y) {
        std::vector<int> bars;
        int last = -1;
        for (int x = 0; x < right; ++x) {
            const int place = colours.place(colour_at(picture, x, y));
            if (place >= 0 && place != last) bars.push_back(place);
            last = place;
        }
        if (bars.size() == static_cast<std::size_t>(count) && std::set(bars.begin(), bars.end()).size() == bars.size())
            return bars;
    }
    return {};
}

}  // namespace glsort::test
