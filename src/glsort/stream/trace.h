#pragma once

#include <glsort/stream/kernel.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glsort {

/// What the instances of an op did, one after the other, as its cpu body did it: for looking at a program closely.
/// Some 40 bytes for each access.
struct OpTrace {
    /// A read or write of an element of a stream.
    struct Touch {
        std::uint32_t instance = 0;  ///< The number of the record, or group, that the instance is for.
        std::size_t use = 0;         ///< The place in `Op::reads`, or in `Op::writes`.
        bool write = false;
        std::uint32_t element = 0;
    };
    /// Two elements that were compared; the kernel asked whether `a` comes before `b`.
    struct Comparison {
        std::uint32_t instance = 0;
        Element a{};
        Element b{};
    };
    std::vector<Touch> touches;
    std::vector<Comparison> comparisons;
};

}  // namespace glsort
