#pragma once

#include <glsort/spec.h>

#include <string>
#include <vector>

namespace glsort::scene {

/// GLSL of `uvec2 NAME(uint item)`: the source and the element of an item, by a binary search among the sources of a
/// capacity above 0.
std::string item_function(const std::vector<SceneSource>& sources, const std::string& name);

}  // namespace glsort::scene
