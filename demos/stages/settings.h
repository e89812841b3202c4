#pragma once

#include <glsort/planner.h>
#include <glsort/sorter.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/distributions.h"

namespace glsort::demo {

/// The input of a sort. Two compared sorts share the input.
struct Input {
    std::uint32_t n = 64;
    Distribution distribution = Distribution::uniform;
    KeyType key = KeyType::u32;
    Direction order = Direction::ascending;
    std::uint64_t seed = 1;
    std::uint32_t sources = 0;  ///< Of a scene. 0: no scene was asked for.
    double visible = 1;         ///< The fraction of elements that a scene shows.
    /// Whether the sort is one of a scene: keys, culling, and the sort of what is visible.
    bool is_scene() const { return sources > 0 || visible < 1; }
    friend bool operator==(const Input&, const Input&) = default;
};

inline constexpr std::uint32_t min_elements = 16;
inline constexpr std::uint32_t max_elements = 1u << 20;

/// The method of a sort.
struct Method {
    std::string algorithm = "bitonic:step";       ///< NAME or NAME:VARIANT.
    Backend backend = Backend::cpu;               ///< Not `automatic`.
    std::optional<Layout> layout = std::nullopt;  ///< Nothing: the algorithm's choice.
    std::uint32_t tile = 0;                       ///< 0: the algorithm's choice, also for the next two.
    std::uint32_t samples = 0;
    std::uint32_t digit_bits = 0;
    friend bool operator==(const Method&, const Method&) = default;
};

/// The keys as raw bits.
std::vector<std::uint32_t> make_keys(const Input& input);

/// The indices of the elements that a scene shows. Empty if the sort is no scene.
std::vector<std::uint32_t> shown_elements(const Input& input);

/// The specification of a sort that is no scene: buffers in place, with the index of each key.
SortSpec sort_spec(const Input& input, const Method& method);
/// The specification of a scene. The sources have the keys in their order, as many each as possible. Scenes run in C++:
/// for the backend cpu, as on the compute backend.
SceneSpec scene_spec(const Input& input, const Method& method);

/// The program of a sort, before the keys are known: all elements of a scene are visible. Throws Error if the method
/// cannot sort the input.
StreamProgram planned_program(const Input& input, const Method& method, const Limits& limits);

}  // namespace glsort::demo
