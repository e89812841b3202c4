#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

/// What examples of several engines draw.

namespace scenery {

/// A picture of `size` times `size` texels, red, green, blue and alpha: a leaf that is pointed at both ends, with a
/// vein. The leaf is white, so that points give the colours.
inline std::vector<std::uint8_t> leaf_texels(unsigned int size) {
    std::vector<std::uint8_t> texels;
    const auto place = [size](unsigned int i) { return 2.0f * (float(i) + 0.5f) / float(size) - 1.0f; };
    for (unsigned int row = 0; row < size; ++row)
        for (unsigned int column = 0; column < size; ++column) {
            const float along = 0.7071f * (place(column) + place(row));
            const float across = std::abs(0.7071f * (place(column) - place(row)));
            const float alpha = 12.0f * (0.45f * (1.0f - along * along) - across);
            const float light = across < 0.04f ? 1.0f : 0.8f - 0.6f * across;
            for (const float part : {light, light, light, alpha})
                texels.push_back(static_cast<std::uint8_t>(255.0f * std::clamp(part, 0.0f, 1.0f)));
        }
    return texels;
}

}  // namespace scenery
