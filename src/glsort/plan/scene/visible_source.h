#pragma once

#include <glsort/limits.h>
#include <glsort/plan/element_source.h>
#include <glsort/spec.h>

#include <memory>

/// How a sort in fragment shaders reads the visible items of a scene: a texel has the key and the item. Items ascend,
/// so an item stands for the index of its element. No op then looks values up, and the sort need not write keys.

namespace glsort::scene {

/// Null if a texel has both in one word, or if elements of the sort have no room for an item and a whole key.
std::shared_ptr<const ElementSource> visible_source(const SceneSpec& spec, const Limits& limits);

}  // namespace glsort::scene
