#pragma once

#include <glsort/limits.h>
#include <glsort/plan/element_source.h>
#include <glsort/spec.h>

#include <memory>

/// How a sort reads the visible items of a scene from the fronts of their tiles (front_kernels.h). The sort then needs
/// no op that moves the visible items together. A load searches the tile of its element. For scenes of few tiles, and
/// sorts that do not read slots (slot_source.h).

namespace glsort::scene {

/// Whether the sort of the scene reads fronts, if the sort reads no slots. Depends on the backend, the tiles, the
/// storage blocks, and on whether the sort can. `spec` has been checked and names a backend.
bool reads_fronts(const SceneSpec& spec, const Limits& limits);

/// The fronts as a source of the sort. The streams are the keys, the items unless keys are packed, and the offsets.
/// Null if the sort does not read fronts. For sorts that read no slots.
std::shared_ptr<const ElementSource> front_source(const SceneSpec& spec, const Limits& limits);

}  // namespace glsort::scene
