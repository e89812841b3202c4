#pragma once

#include <glsort/limits.h>
#include <glsort/plan/element_source.h>
#include <glsort/spec.h>

#include <cstdint>
#include <memory>
#include <optional>

/// How a sort reads the visible items of a scene from the fronts of tiles (tile_kernels.h). The visible items are then
/// not moved together before the sort, and no op of the sort counts digits.

namespace glsort::scene {

/// The digits that the sort of the scene counts, if the sort reads the fronts. Depends on the backend, the tuning, the
/// storage blocks, and on whether the sort can. `spec` has been checked and names a backend.
std::optional<DigitCounts> front_digits(const SceneSpec& spec, const Limits& limits);

/// The fronts as a source of the sort. Null if the visible items are moved together first. The streams are the keys and
/// the offsets. Between these, if keys are not packed: the numbers of the items in tiles that are not full, and the
/// marks.
std::shared_ptr<const ElementSource> front_source(const SceneSpec& spec, const Limits& limits);

/// Tiles of all sources.
std::uint32_t tiles_of(const SceneSpec& spec);
/// Words of `offsets`.
std::uint32_t offset_words(std::uint32_t tiles, const Limits& limits);

}  // namespace glsort::scene
