#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "scenes.h"
#include "settings.h"

namespace glsort::demo {

/// The position after a time, as moved() of the shaders computes it.
glm::vec3 moved(const glm::vec3& position, const Movement& movement, double seconds);

/// The keys that the shaders make, up to rounding. Ascending keys are back to front. Time: linear.
std::vector<float> cpu_keys(const std::vector<glm::vec3>& positions, const Movement& movement, double seconds,
                            const glm::mat4& view, SortKey key);

}  // namespace glsort::demo
