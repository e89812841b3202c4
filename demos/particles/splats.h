#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace glsort::demo {

/// A translucent ellipsoid without an edge: a Gaussian. Four texels of a texture of four floats.
struct Splat {
    glm::vec3 position{0.0f};
    float opacity = 1.0f;    ///< In the middle, 0 to 1.
    glm::vec3 colour{1.0f};  ///< As displays take it, not linear: splats are trained that way.
    float unused0 = 0.0f;
    glm::vec3 variance{1e-4f};  ///< The covariance matrix: xx, yy, zz ...
    float unused1 = 0.0f;
    glm::vec3 covariance{0.0f};  ///< ... and xy, xz, yz.
    float unused2 = 0.0f;

    /// `axes` are three directions of length 1 at right angles, `radii` the standard deviations
    /// along them.
    void set_shape(const glm::mat3& axes, const glm::vec3& radii);
};
static_assert(sizeof(Splat) == 64);

/// Whether a file is a PLY file whose vertices have properties of splats. Throws std::runtime_error where the header of
/// such a file breaks the format.
bool holds_splats(const std::filesystem::path& path);

/// The splats of a PLY file as "3D Gaussian Splatting" writes them (Kerbl et al. 2023): x y z,
/// scale_0..2 (logarithms), rot_0..3 (a quaternion w x y z of any length), opacity (before the
/// logistic function), f_dc_0..2 (the colour's constant term). Colours that depend on the direction
/// (f_rest_*) are left out.
///
/// Moved and scaled so that all but the outermost hundredth on every side lie in the cube from
/// -0.5 to 0.5; turned about the x axis by half a turn, because y is down in such files.
///
/// Throws std::runtime_error naming the file and the reason, with the element where a number is not
/// finite, a scale exceeds e^40, or a rotation is 0.
std::vector<Splat> load_splats(const std::filesystem::path& path);

/// A dahlia of `count` splats, along its petals and as thin as they.
std::vector<Splat> make_flower(std::uint32_t count, std::uint64_t seed);

}  // namespace glsort::demo
