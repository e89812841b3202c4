#pragma once

#include <cstdint>

namespace glsort {

/// The first of the numbers 0 ... end-1 for which `holds` does not hold, or `end`: a binary search.
/// No number behind one for which it does not hold may be one for which it does.
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
