#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <vector>

namespace glsort::demo {

/// A translucent ellipsoid without an edge: a Gaussian. A splat takes four texels of four floats.
struct Splat {
    glm::vec3 position{0.0f};
    float opacity = 1.0f;    ///< Opacity in the middle, 0 to 1.
    glm::vec3 colour{1.0f};  ///< Not linear, but as displays take colours: splats are trained with such colours.
    float unused0 = 0.0f;
    glm::vec3 variance{1e-4f};  ///< The covariance matrix: xx, yy, zz ...
    float unused1 = 0.0f;
    glm::vec3 covariance{0.0f};  ///< ... and xy, xz, yz.
    float unused2 = 0.0f;

    /// `axes` are three orthogonal directions of length 1. `radii` are the standard deviations along the axes.
    void set_shape(const glm::mat3& axes, const glm::vec3& radii);
};
static_assert(sizeof(Splat) == 64);

/// Whether a file is a PLY file whose vertices have properties of splats. Throws std::runtime_error where the header of
/// such a file breaks the format.
bool holds_splats(const std::filesystem::path& path);

/// The splats of a PLY file of "3D Gaussian Splatting" (Kerbl et al. 2023). The properties of a splat are:
/// - x, y, z;
/// - scale_0..2: logarithms;
/// - rot_0..3: a quaternion w x y z of any length;
/// - opacity: before the logistic function;
/// - f_dc_0..2: the constant term of the colour. Colours that depend on the direction (f_rest_*) are left out.
///
/// The splats are moved and scaled. Afterwards all splats but the outermost hundredth on every side lie in the cube
/// from -0.5 to 0.5. In such files y is down, so the splats are turned by half a turn about the x axis.
///
/// Throws std::runtime_error naming the file and the reason, with the element where a number is not
/// finite, a scale exceeds e^40, or a rotation is 0.
std::vector<Splat> load_splats(const std::filesystem::path& path);

/// Bytes of memory that load_splats() takes, by the header of the file. Throws as load_splats() does.
std::uint64_t bytes_to_load_splats(const std::filesystem::path& path);

/// A dahlia of `count` splats, which lie along its petals and are as thin as the petals.
std::vector<Splat> make_flower(std::uint32_t count, std::uint64_t seed);

}  // namespace glsort::demo
