#pragma once

#include <glsort/stream/kernel.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glsort {

/// A record of what the cpu body of an op did, instance by instance. For looking at a program closely. Memory: about 24
/// bytes for each touch, 36 for each comparison, and 24 for each other entry.
struct OpTrace {
    /// One read or write of a stream's element. An atomic addition counts as a write.
    struct Touch {
        std::uint32_t instance = 0;  ///< The number of the record or group.
        std::size_t use = 0;         ///< Index into `Op::reads` or `Op::writes`.
        bool write = false;
        bool of_output =
            false;  ///< `use` is an index into `Op::writes`. True for writes and for reads of shared outputs.
        std::uint32_t element = 0;  ///< Index of the element in the stream.
    };
    /// Two compared elements. The kernel asked whether `a` comes before `b`.
    struct Comparison {
        std::uint32_t instance = 0;  ///< As in Touch.
        Element a{};                 ///< The kernel's element, which may differ from the caller's key.
        Element b{};
    };
    /// The result of a subgroup ballot: one bit of the codes of neighbouring elements.
    struct Ballot {
        std::uint32_t instance = 0;
        std::uint32_t element = 0;  ///< Index of the first of these elements in what the op, or its round, reads.
        std::uint32_t bit = 0;      ///< The bit of the code.
        std::uint64_t votes = 0;    ///< Bit i is the vote of `element + i`.
    };
    /// The rank of an element: how many earlier elements of the instance have the same digit value.
    struct Rank {
        std::uint32_t instance = 0;
        std::uint32_t element = 0;  ///< As in Ballot.
        std::uint32_t shift = 0;    ///< The lowest bit of the digit.
        std::uint32_t value = 0;    ///< The digit value; 0 if elements are ranked among all.
        std::uint32_t rank = 0;
    };
    /// What a group learned from an earlier group.
    struct LookBack {
        std::uint32_t instance = 0;
        std::uint32_t before = 0;  ///< The number of the earlier group.
        std::uint32_t value = 0;   ///< The digit value.
        std::uint32_t goal = 0;    ///< Destination of the group's first element with that value.
    };
    // Each list is in chronological order.
    std::vector<Touch> touches;
    std::vector<Comparison> comparisons;
    std::vector<Ballot> ballots;
    std::vector<Rank> ranks;
    std::vector<LookBack> look_backs;
};

}  // namespace glsort
