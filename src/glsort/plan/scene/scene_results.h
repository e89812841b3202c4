#pragma once

#include <glsort/limits.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <functional>
#include <vector>

/// What the op that first knows the number of visible items writes: the status of the scene, the commands for draws,
/// and the numbers of the sort (stream/count_rule.h).

namespace glsort::scene {

struct SceneResults {
    std::vector<SceneCommand> commands;  ///< Empty if separate ops write them.
    bool writes_sort_numbers = false;    ///< Whether the numbers of the sort are written, too.

    /// Storage blocks for the results.
    std::uint32_t blocks() const {
        return static_cast<std::uint32_t>(1 + commands.size() + (writes_sort_numbers ? 2 : 0));
    }
};

/// The results of `spec` for which there are storage blocks. `taken`: the blocks that the kernel needs for other
/// streams. `writes_sort_numbers`: whether the numbers are wanted.
SceneResults results_of(const SceneSpec& spec, bool writes_sort_numbers, std::uint32_t taken, const Limits& limits);

/// The specification of what shaders do with the ports of results.
using ResultsBody = std::function<void(CpuInvocation&, std::uint32_t visible, bool clamped)>;

/// Appends ports and parameters to those of `kernel`: the status, a port for each command, and with numbers the rules
/// and the numbers. In GLSL, `glsort_write_results` writes the results (shaders/scene/scene_results.glsl). Groups of
/// the kernel have at least as many invocations as a command has words.
ResultsBody declare_results(Kernel& kernel, const SceneResults& results);

}  // namespace glsort::scene
