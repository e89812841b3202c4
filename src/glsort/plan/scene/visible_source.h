#pragma once

#include <glsort/limits.h>
#include <glsort/plan/element_source.h>
#include <glsort/spec.h>

#include <memory>

/// How a sort in fragment shaders reads the visible items of a scene: the sort finds them itself, in the pyramid of
/// counts (pyramid_kernels.h), and reads their keys. Items ascend, so an item stands for the index of its element. No
/// op then looks values up, and the sort need not write keys.

namespace glsort::scene {

/// Whether the sort itself writes the texture of items (`ElementSource::fills`): nothing else reads the order, so the
/// order needs no copy. `sort`: the specification of the sort, with or without a texture of its own.
bool sort_writes_texture(const SceneSpec& spec, const SortSpec& sort, const Limits& limits);

/// Null on other backends, and if the key and the item share a word. The streams are those of `pyramid_streams`.
std::shared_ptr<const ElementSource> visible_source(const SceneSpec& spec, const Limits& limits);

}  // namespace glsort::scene
