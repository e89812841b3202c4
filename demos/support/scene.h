#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

namespace glsort::demo {

/// What a file of a mesh or a cloud of points holds.
struct Shape {
    std::vector<glm::vec3> points;   ///< In the order of the file.
    std::vector<glm::vec3> colours;  ///< Of each point, linear, 0 to 1; empty where the file has none.
    std::vector<glm::vec3> normals;  ///< Of each point, outwards; of samples of a surface only.
    /// Three points each. Faces of more corners are cut into triangles. Empty for a cloud of points.
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Reads a file of any format that Assimp reads (PLY with or without faces, OBJ, STL, glTF, ...), with the
/// transformations of the file's nodes applied.
///
/// Throws std::runtime_error naming the file and the reason: it cannot be read, no importer knows
/// it, it holds no points, a coordinate is not finite, or a face has a corner that is no point.
Shape load_shape(const std::filesystem::path& path);

/// `count` points on the triangles of a shape, evenly by area, with colours and normals. Where triangles have no area,
/// the points lie on the last one.
Shape sample_surface(const Shape& shape, std::uint32_t count, std::uint64_t seed);

/// The number of points that belong to no triangle of a shape that has triangles.
std::size_t loose_points(const Shape& shape);

/// Moves and scales the points, equally in all directions. Afterwards their bounding box is centred at 0, and its
/// longest side is 1. A single position goes to 0. An empty list stays empty.
void normalise(std::vector<glm::vec3>& points);

/// One translucent sprite. 32 bytes without padding, which are a vertex of three attributes.
struct Particle {
    glm::vec3 position{0.0f};
    glm::vec4 colour{1.0f};  ///< Not premultiplied, linear, 0 to 1.
    float size = 0.01f;      ///< Diameter, in the unit of the positions.
};
static_assert(sizeof(Particle) == 32);

/// How a scene moves (moved()). Angles in radians, time in seconds.
struct Motion {
    float turn_speed = 0.12f;    ///< Turn about the y axis, per second.
    float wave_height = 0.015f;  ///< Amplitude of the wave along y, in the unit of the positions.
    float wave_number = 14.0f;   ///< Phase of the wave per unit of distance from the axis.
    float wave_speed = 1.3f;     ///< Phase of the wave per second.
};

/// Particles to draw, and how they move.
struct Scene {
    std::vector<Particle> particles;
    Motion motion;
};

/// The position of a particle at a time. The particle turns about the y axis by turn_speed * seconds. The wave lifts
/// the particle by wave_height * sin(wave_number * r - wave_speed * seconds). r is the distance from the y axis.
/// Shaders repeat this computation.
glm::vec3 moved(const glm::vec3& position, const Motion& motion, float seconds);

/// A spiral galaxy of n particles within a sphere of diameter 1 around 0, with its disc in the x-z plane. There are a
/// bulge of old, yellow stars, two arms of young, blue stars with red nebulae, dust, and a thin halo. The dust is dark
/// and lies at the inner edges of the arms. From the side, hundreds of translucent layers lie over each other, so a
/// wrong order shows.
///
/// The order of the particles is random. Equal n and seed give equal particles, up to the rounding of sin, cos, log and
/// exp.
Scene make_galaxy(std::size_t n, std::uint64_t seed);

}  // namespace glsort::demo
