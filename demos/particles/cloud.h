#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "support/scene.h"

namespace glsort::demo {

/// `count` particles that show the surface which the points lie on: lit, so large that they cover
/// it, in random order. The points are as normalise() leaves them, at least one. Fewer particles
/// are a random choice of the points; more are each point several times, moved a little apart.
/// Linear in points and particles.
std::vector<Particle> make_cloud(const std::vector<glm::vec3>& points, std::uint32_t count, std::uint64_t seed);

}  // namespace glsort::demo
