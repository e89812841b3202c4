#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glsort::demo {

/// Compares `order` with the order of std::stable_sort for the keys, ascending. Returns an empty text for equal orders.
/// Otherwise returns a sentence that names the first wrong position, or the reason why `order` is no permutation. Time:
/// O(n log n).
std::string check_order(const std::vector<float>& keys, const std::vector<std::uint32_t>& order);

}  // namespace glsort::demo
