#pragma once

#include <glsort/limits.h>
#include <glsort/plan/element_source.h>
#include <glsort/spec.h>

#include <memory>
#include <optional>

/// How a sort reads the visible items of a scene from their slots (slot_kernels.h). The visible items are then not
/// moved together before the sort, and no op of the sort counts digits.

namespace glsort::scene {

/// The digits that the sort of the scene counts, if the sort reads slots. Depends on the backend, the storage blocks,
/// and on whether the sort can. `spec` has been checked and names a backend.
std::optional<DigitCounts> slot_digits(const SceneSpec& spec, const Limits& limits);

/// The slots as a source of the sort. Null if the visible items are moved together first. The streams are the keys and
/// the marks.
std::shared_ptr<const ElementSource> slot_source(const SceneSpec& spec, const Limits& limits);

}  // namespace glsort::scene
