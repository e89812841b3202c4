#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "support/scene.h"

namespace glsort::demo {

/// `count` particles that show the surface of a mesh, or the surface which the points of a cloud lie on: lit, so large
/// that they cover it, in random order, in the colours of the file if there are any. The points are as normalise()
/// leaves them, at least one.
///
/// Of a mesh they lie anywhere on its faces. Of a cloud fewer particles are a random choice of the points; more are
/// each point several times, moved a little apart. Linear in points, faces and particles.
std::vector<Particle> make_cloud(const Shape& shape, std::uint32_t count, std::uint64_t seed);

}  // namespace glsort::demo
