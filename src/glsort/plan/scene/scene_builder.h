#pragma once

#include <glsort/limits.h>
#include <glsort/plan/element_source.h>
#include <glsort/plan/scene/front_source.h>
#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_results.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace glsort::scene {

/// A program of a scene, without streams and ops. `variant`: the name of the program.
StreamProgram empty_program(const SceneSpec& spec, Backend backend, const char* variant);

/// A scene's program under construction: what the programs of both backends share.
class SceneBuilder {
  public:
    SceneBuilder(const SceneSpec& spec, Backend backend);

    StreamId add(Stream stream) {
        plan.program.streams.push_back(std::move(stream));
        return plan.program.streams.size() - 1;
    }
    /// Declares a stream of the library or of the caller.
    StreamId declare(std::string name, StreamRole role, Medium medium, std::uint32_t words, std::uint32_t records);
    Substream all_of(StreamId id) const { return Substream::first(plan.program.streams[id].records); }
    void add(Op op) { plan.program.ops.push_back(std::move(op)); }

    const SceneSource& source_of(const ScenePlan::Source& planned) const { return spec.sources[planned.number]; }
    std::uint32_t base_of(const ScenePlan::Source& planned) const {
        return glsort::base_of(spec.sources, planned.number);
    }
    /// What the op that calls the source's `sort_key` reads: the inputs, and then the count if the GPU alone knows the
    /// count.
    std::vector<StreamUse> reads_of(const ScenePlan::Source& planned) const;
    /// Declares the streams of the commands.
    void declare_commands();
    /// Adds the ops that write the commands from `first` on, which have been declared. `visible`: element `place` of a
    /// buffer is the number of visible items. In a texture, the element has four numbers, whose sum is the number of
    /// visible items.
    void add_commands(const StreamUse& visible, std::uint32_t place, std::size_t first = 0);
    /// Adds an op that writes results (scene_results.h), which are the last ports and parameters of the op's kernel.
    /// The status and the commands have been declared. Then adds the ops of the other commands.
    void add_results(Op op, const SceneResults& results);

    std::uint32_t items() const { return plan.program.n; }
    std::uint32_t key_words() const { return form.words(); }

    const SceneSpec& spec;
    const KeyForm form;
    ScenePlan plan;  ///< With the caller's streams of all sources.
};

/// The program of the compute backend in front of a sort that reads the fronts of portions (front_kernels.h).
ScenePlan plan_fronts(const SceneSpec& spec, const Limits& limits, bool writes_sort_numbers, const Fronts& fronts);
/// The program of the compute backend in front of any sort: tiles (tile_kernels.h).
ScenePlan plan_tiles(const SceneSpec& spec, const Limits& limits, bool writes_sort_numbers);
/// The program of the fragment backend: a pyramid of counts (pyramid_kernels.h).
ScenePlan plan_pyramid(const SceneSpec& spec, const Limits& limits);

}  // namespace glsort::scene
