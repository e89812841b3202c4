#pragma once

#include <glsort/limits.h>
#include <glsort/plan/element_source.h>
#include <glsort/spec.h>

#include <memory>
#include <optional>

/// How a sort reads the visible items of a scene from the fronts of portions (front_kernels.h). The sort then needs no
/// op that moves the visible items together. Each load searches for the front of its element.

namespace glsort::scene {

/// The fronts of a scene whose sort reads fronts.
struct Fronts {
    std::uint32_t portion = 0;          ///< Max items of a portion.
    std::uint32_t fronts = 0;           ///< How many there are.
    std::optional<DigitCounts> digits;  ///< Counted together with the keys, if the sort counts digits.
};

/// The fronts of a scene. Empty if the sort does not read fronts: the visible items are then moved together before the
/// sort. The backend, the number of items, the storage blocks and the algorithm decide. `spec` has been checked and
/// names a backend.
std::optional<Fronts> fronts_of(const SceneSpec& spec, const Limits& limits);

/// Where the sort finds the elements. The streams are the keys, the items unless keys are packed, and the records of
/// the fronts. Null if the sort does not read fronts.
std::shared_ptr<const ElementSource> front_source(const SceneSpec& spec, const Limits& limits);

}  // namespace glsort::scene
