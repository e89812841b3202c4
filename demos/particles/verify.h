#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glsort::demo {

/// Compares an order of the particles with the one that std::stable_sort gives for their keys,
/// ascending. Empty where they are equal; otherwise a sentence with the first position that is
/// wrong, or with what keeps the order from being a permutation. O(n log n).
std::string check_order(const std::vector<float>& keys, const std::vector<std::uint32_t>& order);

}  // namespace glsort::demo
