#pragma once

#include <glsort/limits.h>
#include <glsort/plan/element_source.h>
#include <glsort/spec.h>

#include <memory>

/// The sort of the visible items of a scene.

namespace glsort::scene {

/// What sorts the visible items: keys and numbers of items in buffers on the compute backend, in a texture on the
/// fragment backend. `spec` has been checked and names a backend.
SortSpec sort_spec(const SceneSpec& spec, const Limits& limits);

/// Where the sort finds the elements (front_source.h, visible_source.h). Null: where the specification says.
std::shared_ptr<const ElementSource> source_of_sort(const SceneSpec& spec, const Limits& limits);

}  // namespace glsort::scene
