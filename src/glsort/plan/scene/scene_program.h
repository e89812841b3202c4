#pragma once

#include <glsort/limits.h>
#include <glsort/spec.h>
#include <glsort/stream/program.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// The program in front of the sort of a scene: keys and culling. If the sort cannot find the visible items itself,
/// this program also moves these items together.

namespace glsort::scene {

/// The sum of the capacities: all items.
std::uint32_t items_of(const SceneSpec& spec);

/// Words of the status: {visible items, 1 if a count was clamped, 0, 0}.
inline constexpr std::uint32_t status_words = 4;

/// A program, and where its numbers and streams belong.
struct ScenePlan {
    struct Source {
        std::size_t number = 0;  ///< In the specification.
        /// The op that calls `sort_key`. Parameter `count_parameter` is the count. If the GPU alone knows the count,
        /// the parameter is the capacity.
        std::size_t op = 0;
        /// The source's block of the op's domain, if the op serves several sources. Count and values are then
        /// parameters of the block. If `block` is empty, count and values are parameters of the op.
        std::optional<std::size_t> block;
        /// If keys are quantised: the first of the op's four numbers of a `DepthRange`.
        std::size_t first_depth_parameter = 0;
        std::vector<StreamId> inputs;   ///< One for each input of the source.
        std::optional<StreamId> count;  ///< The count, if the GPU alone knows the count.
    };
    static constexpr std::size_t count_parameter = 0;
    /// The first parameter of value 0. Each value takes four parameters, the bits of its floats.
    static constexpr std::size_t first_value_parameter = 3;

    StreamProgram program;
    std::vector<Source> sources;  ///< The sources of a capacity above 0.
    /// Outputs of the compute backend: the keys and the numbers of the visible items, in buffers. Room for all items.
    /// Without `items`, keys are packed (key_form.h). If there are `unsorted` streams, no op writes `keys` and `items`.
    StreamId keys = 0;
    std::optional<StreamId> items;
    /// Output of the fragment backend: keys and numbers, in a texture. None if there are `unsorted` streams.
    std::optional<StreamId> visible;
    std::vector<StreamId> commands;  ///< Outputs: one for each command of the specification, in buffers.
    StreamId status = 0;             ///< Output: {visible items, 1 if a count was clamped, 0, 0}.

    /// The caller's streams that the sort reads instead of keys and items: those of `source_of_sort` (scene_sort.h).
    /// If digits are counted, the totals and the status of the sort follow. Empty if the visible items are moved
    /// together.
    std::vector<StreamId> unsorted;

    /// Where the numbers of the sort (stream/count_rule.h) belong, if the op that writes the status also writes these
    /// numbers.
    struct SortNumbers {
        StreamId rules = 0;    ///< Input: the rules. How many there are is known later (`set_rules`).
        StreamId numbers = 0;  ///< Output.
        std::size_t op = 0;
        /// Parameters of the op: how many rules there are, the max groups along one dimension of a dispatch, and
        /// `max_count_bases` bases.
        std::size_t first_parameter = 0;
    };
    std::optional<SortNumbers> sort_numbers;
};

/// Throws `Error` if the specification is impossible. The message names the source, the member, the value and the
/// limit.
void check_spec(const SceneSpec& spec);

/// Plans for the backend of the specification, which has been checked. The program is that of the capacities. An
/// element at or behind the count of its source is not visible. `writes_sort_numbers`: whether to write the numbers of
/// the sort, if the backend, the tuning and the storage blocks allow this.
ScenePlan plan_scene(const SceneSpec& spec, const Limits& limits, bool writes_sort_numbers = false);

/// Gives the streams of `ScenePlan::sort_numbers` their sizes. `rules`: the number of rules. `words`: the words of the
/// numbers.
void set_rules(StreamProgram& program, const ScenePlan::SortNumbers& numbers, std::uint32_t rules, std::uint32_t words);

}  // namespace glsort::scene
