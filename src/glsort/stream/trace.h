#pragma once

#include <glsort/stream/kernel.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glsort {

/// What the instances of an op did, one after the other, as its cpu body did it: for looking at a program closely.
/// Takes some 24 bytes for each access and 36 for each comparison.
struct OpTrace {
    /// A read or write of an element of a stream. An addition to one is a write.
    struct Touch {
        std::uint32_t instance = 0;  ///< The number of the record, or group, that the instance is for.
        std::size_t use = 0;         ///< The place in `Op::reads`, or in `Op::writes`.
        bool write = false;
        std::uint32_t element = 0;  ///< Its place in the stream, counted in elements from 0.
    };
    /// Two elements that were compared; the kernel asked whether `a` comes before `b`.
    struct Comparison {
        std::uint32_t instance = 0;  ///< As in Touch.
        Element a{};                 ///< As the kernel holds it, which need not be as the caller gave it.
        Element b{};
    };
    std::vector<Touch> touches;           ///< In the order in which they were made.
    std::vector<Comparison> comparisons;  ///< The same.
};

}  // namespace glsort
