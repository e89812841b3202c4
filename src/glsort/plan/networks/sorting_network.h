#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace glsort {

/// The comparators of Batcher's odd-even merge sort of `count` inputs (Batcher 1968), in a valid order of execution.
/// (a, b) with a < b puts the smaller input to a. There are about count log^2(count) / 4: 63 for 16 inputs, 191 for 32.
std::vector<std::pair<std::uint32_t, std::uint32_t>> odd_even_merge_sort(std::uint32_t count);

/// These comparators as text for shaders that define the macro: `GLSORT_COMPARE(0,1) GLSORT_COMPARE(2,3) ...`.
std::string odd_even_merge_sort_text(std::uint32_t count);

}  // namespace glsort
