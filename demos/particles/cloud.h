#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "support/scene.h"

namespace glsort::demo {

/// `count` particles that show the surface of the points. The particles are lit, large enough to cover the surface, and
/// in random order. `points` are as normalise() leaves them, and at least one. Fewer particles than points are a random
/// choice of the points. With more particles each point is used several times, slightly moved. Time: linear in points
/// and particles.
std::vector<Particle> make_cloud(const std::vector<glm::vec3>& points, std::uint32_t count, std::uint64_t seed);

}  // namespace glsort::demo
