#pragma once

#include <glsort/limits.h>
#include <glsort/scene_spec.h>
#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// The program in front of the sort of a scene: keys, culling, and the visible items moved together.

namespace glsort::scene {

/// The sum of the capacities: all items.
std::uint32_t items_of(const SceneSpec& spec);

/// A program, and where its numbers and streams belong.
struct ScenePlan {
    struct Source {
        std::size_t op = 0;              ///< The op that calls `sort_key`.
        std::vector<StreamId> inputs;    ///< One for each input of the source.
        std::optional<StreamId> count;   ///< The count, if the GPU alone knows the count.
    };
    StreamProgram program;
    std::vector<Source> sources;  ///< One for each source of a capacity above 0, with `number`.
    std::vector<std::size_t> numbers;  ///< For each of `sources`, its number in the specification.
    StreamId keys = 0;    ///< Output: the keys of the visible items. As many as there are items.
    StreamId items = 0;   ///< Output: the numbers of the visible items.
    StreamId status = 0;  ///< Output: {visible items, 1 if a count was clamped, 0, 0}.
};

/// Throws `Error` if the specification cannot be: names the source, the member, the value and the limit.
void check_spec(const SceneSpec& spec);

/// Plans for the compute backend. `spec` has been checked.
///
/// The program is that of the capacities. `SceneProgram::set_count` sets the count of a source whose count the CPU
/// knows. An element at or behind the count is not visible.
ScenePlan plan_scene(const SceneSpec& spec, const Limits& limits);

}  // namespace glsort::scene
