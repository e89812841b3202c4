#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpu_keys.h"

namespace glsort::demo {

/// Compares an order with the keys of the CPU. The order must have
/// - every element that is inside of the frustum, and no other element. Elements that are inside or outside by less
///   than the error of their keys may be there or not;
/// - descending keys. Keys that differ by less than their errors may be in either order. Equal keys without an error
///   keep the order of their elements. Without errors, the order is that of std::stable_sort.
///
/// Returns an empty text for a right order. Otherwise returns a sentence that names the first wrong position, or an
/// element that is missing. Time: linear.
std::string check_order(const std::vector<CpuKey>& keys, const std::vector<std::uint32_t>& order);

}  // namespace glsort::demo
