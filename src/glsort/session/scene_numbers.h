#pragma once

#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/stream/scheduler.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// The numbers that a sort of a scene hands to the ops of its programs.

namespace glsort::scene {

/// The values of a source or a result: four parameters a value, from `parameter` on.
void set_values(Scheduler& scheduler, std::size_t op, std::size_t parameter,
                const std::vector<std::array<float, 4>>& values);

/// The depths that the keys of a source are quantised over.
void set_depths(Scheduler& scheduler, const ScenePlan::Source& planned, const SceneSource& source,
                const DepthRange& range);

/// Where the corners of each source begin in the caller's index buffer: {first index, base vertex}.
using Corners = std::pair<std::uint32_t, std::int32_t>;
void set_corners(Scheduler& scheduler, std::size_t op, const std::vector<Corners>& sources);

/// Throws `Error` if the depths do not fit the specification.
void check_depths(const SceneSpec& spec, float nearest, float farthest);

}  // namespace glsort::scene
