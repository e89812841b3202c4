#pragma once

#include <glsort/limits.h>
#include <glsort/spec.h>
#include <glsort/stream/program.h>

#include <cstddef>
#include <optional>
#include <vector>

/// The program behind the sort of a scene: what becomes of the order.

namespace glsort::scene {

/// A program, and where its numbers and streams belong. Streams that a scene does not need have no value.
struct SinkPlan {
    struct Result {
        std::size_t op = 0;            ///< The values are its parameters, four per value.
        std::vector<StreamId> inputs;  ///< One for each input of the result.
        StreamId target = 0;
    };

    StreamProgram program;  ///< Of the capacities. Without ops if the sort writes all that the scene asks for.
    /// Input: what the sort has written. On the fragment backend a texture: of items, of packed words, or of {key,
    /// item} if a sink reads keys. On the compute backend a buffer of items or packed words.
    StreamId sorted = 0;
    StreamId status = 0;           ///< Input: the status of the scene, in a buffer.
    std::optional<StreamId> keys;  ///< Input, on the compute backend: the sorted keys, in a buffer.
    std::optional<StreamId> order;
    std::optional<StreamId> indices;    ///< Input: the caller's index buffer.
    std::optional<StreamId> triangles;  ///< Written by op `triangles_op` (`triangles_kernel`).
    std::size_t triangles_op = 0;
    std::optional<StreamId> texture;
    std::vector<Result> results;
};

/// Plans for the backend of the specification, which has been checked.
SinkPlan plan_sinks(const SceneSpec& spec, const Limits& limits);

/// Throws `Error` if a sink of the specification is impossible. `items`: the sum of the capacities.
void check_sinks(const SceneSpec& spec, std::uint64_t items);

/// Whether a sink reads the sorted keys beside the items.
bool reads_keys(const SceneSpec& spec);

/// 32-bit words of a texel of a sink's texture.
std::uint32_t texel_words(const SceneSpec& spec);
/// Texels that the items take in the texture.
std::uint32_t texels(const SceneSpec& spec);

}  // namespace glsort::scene
