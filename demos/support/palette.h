#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace glsort::demo {

/// A colour with channels from 0 to 255, not linear, as pictures and ImGui take colours.
struct Colour {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
};

/// The colour of a key by its place in the sorted order, 0 to 1: from dark blue over green to yellow. Lightness grows
/// evenly, so the scale works in grey and for the colour-blind. The scale is "viridis" (S. van der Walt and N. Smith,
/// 2015), at nine places.
inline Colour key_colour(float place) {
    constexpr std::array<Colour, 9> colours{{{68, 1, 84},
                                             {71, 45, 123},
                                             {59, 82, 139},
                                             {44, 114, 142},
                                             {33, 145, 140},
                                             {40, 174, 128},
                                             {94, 201, 98},
                                             {173, 220, 48},
                                             {253, 231, 37}}};
    const float position = std::clamp(place, 0.0f, 1.0f) * (colours.size() - 1);
    const std::size_t first = std::min<std::size_t>(static_cast<std::size_t>(position), colours.size() - 2);
    const float part = position - static_cast<float>(first);
    const auto mix = [part](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(
            std::lround(static_cast<float>(a) * (1.0f - part) + static_cast<float>(b) * part));
    };
    const Colour& a = colours[first];
    const Colour& b = colours[first + 1];
    return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

/// Colours of things that only need to differ, such as kernels. The colours are pale, unlike keys and marks, and
/// distinct for the colour-blind (P. Tol, "light", 2021). After the last colour comes the first again.
inline Colour distinct_colour(std::size_t number) {
    constexpr std::array<Colour, 9> colours{{{119, 170, 221},
                                             {238, 136, 102},
                                             {238, 221, 136},
                                             {255, 170, 187},
                                             {153, 221, 255},
                                             {68, 187, 153},
                                             {187, 204, 51},
                                             {170, 170, 0},
                                             {221, 221, 221}}};
    return colours[number % colours.size()];
}

/// Marks over keys, in colours that are distinct for the colour-blind (M. Okabe and K. Ito, 2008).
namespace mark {
inline constexpr Colour read{86, 180, 233};     ///< Records that an op reads: sky blue.
inline constexpr Colour written{230, 159, 0};   ///< Records that an op writes: orange.
inline constexpr Colour exchanged{213, 94, 0};  ///< Elements that change places: vermilion.
inline constexpr Colour other{204, 121, 167};   ///< A second kind of mark: reddish purple.
inline constexpr Colour text{225, 227, 230};
inline constexpr Colour faint{120, 126, 134};
}  // namespace mark

}  // namespace glsort::demo
