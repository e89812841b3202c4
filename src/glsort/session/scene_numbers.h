#pragma once

#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/stream/scheduler.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

/// The numbers that a sort of a scene hands to the ops of its programs.

namespace glsort::scene {

/// The values of a source or a result: four parameters a value, from `parameter` on.
void set_values(Scheduler& scheduler, std::size_t op, std::size_t parameter,
                std::span<const std::array<float, 4>> values);

/// The depths that the keys of a source are quantised over.
void set_depths(Scheduler& scheduler, const ScenePlan::Source& planned, const SceneSource& source,
                const DepthRange& range);

/// Where the corners of source number `source` begin in the caller's index buffer, and what its indices are counted
/// from.
void set_corners(Scheduler& scheduler, std::size_t op, std::size_t source, std::uint32_t first_index,
                 std::int32_t base_vertex);

/// Throws `Error` if the depths do not fit the specification.
void check_depths(const SceneSpec& spec, float nearest, float farthest);

}  // namespace glsort::scene
