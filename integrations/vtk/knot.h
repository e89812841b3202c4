#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

/// What the example and the test of VTK draw: a translucent trefoil knot, of points or of triangles.

namespace knot {

using Position = std::array<float, 3>;
using Color = std::array<std::uint8_t, 4>;

inline constexpr float full_turn = 6.2831853f;

inline Position on_knot(float turn) {
    const float radius = 1.5f + 0.6f * std::cos(3.0f * turn);
    return {radius * std::cos(2.0f * turn), radius * std::sin(2.0f * turn), 0.9f * std::sin(3.0f * turn)};
}

inline Color color_at(float turn, std::uint8_t alpha) {
    const auto channel = [turn](float shift) {
        return static_cast<std::uint8_t>(140.0f + 110.0f * std::cos(turn + shift));
    };
    return {channel(0.0f), channel(2.1f), channel(4.2f), alpha};
}

struct Vertices {
    std::vector<Position> positions;
    std::vector<Color> colors;
};

/// Points around the knot. The first ones do not depend on the count.
inline Vertices points(std::uint32_t count) {
    Vertices out;
    std::mt19937 random(7);
    std::normal_distribution<float> normal(0.0f, 0.13f);
    for (std::uint32_t i = 0; i < count; ++i) {
        const float turn = full_turn * std::fmod(static_cast<float>(i) * 0.618034f, 1.0f);
        Position position = on_knot(turn);
        for (float& coordinate : position)
            coordinate += normal(random);
        out.positions.push_back(position);
        out.colors.push_back(color_at(turn, 90));
    }
    return out;
}

/// A tube of `rings` times `ring_points` vertices along the knot, which crosses itself.
inline constexpr std::uint32_t rings = 121;
inline constexpr std::uint32_t ring_points = 12;

inline Vertices tube() {
    Vertices out;
    for (std::uint32_t i = 0; i < rings; ++i)
        for (std::uint32_t j = 0; j < ring_points; ++j) {
            const float turn = full_turn * static_cast<float>(i) / (rings - 1);
            const float angle = full_turn * static_cast<float>(j) / ring_points;
            const auto [x, y, z] = on_knot(turn);
            const float outwards = 0.3f * std::cos(angle) / std::sqrt(x * x + y * y + z * z);
            out.positions.push_back({x + outwards * x, y + outwards * y, z + outwards * z + 0.3f * std::sin(angle)});
            out.colors.push_back(color_at(turn, 110));
        }
    return out;
}

/// The corners of its triangles.
inline std::vector<std::uint32_t> tube_triangles() {
    std::vector<std::uint32_t> corners;
    for (std::uint32_t ring = 0; ring + 1 < rings; ++ring)
        for (std::uint32_t j = 0; j < ring_points; ++j) {
            const std::uint32_t a = ring * ring_points + j;
            const std::uint32_t b = ring * ring_points + (j + 1) % ring_points;
            for (const std::uint32_t corner : {a, a + ring_points, b, b, a + ring_points, b + ring_points})
                corners.push_back(corner);
        }
    return corners;
}

}  // namespace knot
