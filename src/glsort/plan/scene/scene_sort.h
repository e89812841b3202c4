#pragma once

#include <glsort/limits.h>
#include <glsort/spec.h>

/// The sort of the visible items of a scene.

namespace glsort::scene {

/// What sorts the visible items: keys and numbers of items in buffers on the compute backend, in a texture on the
/// fragment backend. `spec` has been checked and names a backend.
SortSpec sort_spec(const SceneSpec& spec, const Limits& limits);

}  // namespace glsort::scene
