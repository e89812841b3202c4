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

/// The sort as a plan request, and as a sorter's specification. Both sort buffers in place, with the index of each key.
PlanRequest plan_request(const Input& input, const Method& method, const Limits& limits);
SortSpec sort_spec(const Input& input, const Method& method);

}  // namespace glsort::demo
