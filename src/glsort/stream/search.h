#pragma once

#include <cstdint>

namespace glsort {

/// Binary search: the first of the numbers 0 ... end-1 for which `holds` is false, or `end`. If `holds` is false for a
/// number, `holds` must be false for all later numbers.
template <class Holds>
std::uint32_t first_without(std::uint32_t end, const Holds& holds) {
    std::uint32_t first = 0;
    for (std::uint32_t left = end; left > 0;) {
        const std::uint32_t half = left / 2;
        if (holds(first + half)) {
            first += half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return first;
}

}  // namespace glsort
