#pragma once

#include <glsort/limits.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/spec.h>
#include <glsort/stream/program.h>

#include <cstdint>

/// The three programs of a scene as one, for tools that show a scene from its inputs to its results.

namespace glsort::scene {

/// A program for one number of visible items, and where its numbers and streams belong. The programs inside the two
/// plans are empty. Streams between the three parts are scratch streams. The status remains the caller's.
struct WholeScene {
    StreamProgram program;
    ScenePlan keys;
    SinkPlan sinks;
};

/// `keys` and `sinks`: the plans of `spec`, which names a backend. `visible`: the number of visible items, which is `n`
/// of the program. Without visible items, the program has no ops of the sort.
WholeScene join(const SceneSpec& spec, const Limits& limits, ScenePlan keys, SinkPlan sinks, std::uint32_t visible);

}  // namespace glsort::scene
