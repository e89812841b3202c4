#pragma once

#include <glsort/scene.h>
#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "elements.h"
#include "scenes.h"
#include "settings.h"

namespace glsort::demo {

/// The position after a time, as moved() of the shaders computes it.
glm::vec3 moved(const glm::vec3& position, const Movement& movement, double seconds);

/// The key of an element, computed on the CPU.
struct CpuKey {
    float key = 0.0f;  ///< Descending keys are back to front.
    /// How far the element's ball reaches into the frustum. Below 0: the element is outside. Without a frustum: 1.
    float inside = 1.0f;
    float error = 0.0f;  ///< By how much another device's key and `inside` may differ.
};

/// The keys of glsort::compute_view_keys, computed without glsort. Time: linear.
std::vector<CpuKey> cpu_keys(const std::vector<Place>& places, const View& view, const KeyOptions& options);

}  // namespace glsort::demo
