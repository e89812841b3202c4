#pragma once

#include <array>
#include <cstdint>

#include "support/distributions.h"

namespace glsort::test {

/// Sorts in which buckets outgrow their room on the first level and pass the second level undivided. By
/// sample:randomized, with four samples of a tile and a capacity of four tiles.
struct OutgrownCase {
    std::uint32_t tile;
    demo::Distribution distribution;
    std::uint32_t n;
};

inline std::array<OutgrownCase, 5> outgrown_cases() {
    using enum demo::Distribution;
    return {{{64, sorted, 111}, {64, sorted, 116}, {64, reversed, 115}, {64, reversed, 121}, {256, reversed, 428}}};
}

}  // namespace glsort::test
