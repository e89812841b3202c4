#pragma once

#include <glsort/stream/kernel.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glsort {

/// What the instances of an op did, one after the other, as its cpu body did it: for looking at a program closely.
/// Takes some 24 bytes for each load and write, 36 for each comparison, and 24 for each of the others.
struct OpTrace {
    /// A load or write of an element of a stream. An addition to one is a write.
    struct Touch {
        std::uint32_t instance = 0;  ///< The number of the record, or group, that the instance is for.
        std::size_t use = 0;         ///< The place in `Op::reads`, or in `Op::writes`.
        bool write = false;
        bool of_output = false;     ///< The use is in `Op::writes`: of a write, and of a load of what the op shares.
        std::uint32_t element = 0;  ///< Its place in the stream, counted in elements from 0.
    };
    /// Two elements that were compared; the kernel asked whether `a` comes before `b`.
    struct Comparison {
        std::uint32_t instance = 0;  ///< As in Touch.
        Element a{};                 ///< As the kernel holds it, which need not be as the caller gave it.
        Element b{};
    };
    /// What a subgroup answered: whether a bit of the codes of its neighbouring elements is set.
    struct Ballot {
        std::uint32_t instance = 0;
        std::uint32_t element = 0;  ///< The first one's place among those that the op reads, or its round.
        std::uint32_t bit = 0;      ///< Of the code.
        std::uint64_t votes = 0;    ///< Bit i: of element + i.
    };
    /// How many elements of the instance, with the same value of a digit, come before one.
    struct Rank {
        std::uint32_t instance = 0;
        std::uint32_t element = 0;  ///< As in Ballot.
        std::uint32_t shift = 0;    ///< The lowest bit of the digit.
        std::uint32_t value = 0;    ///< 0 where elements are ranked among all.
        std::uint32_t rank = 0;
    };
    /// What a group learned from one before it.
    struct LookBack {
        std::uint32_t instance = 0;
        std::uint32_t before = 0;  ///< The number of the other group.
        std::uint32_t value = 0;   ///< Of the digit.
        std::uint32_t goal = 0;    ///< Where the first of the group's elements with that value goes.
    };
    // Each in the order in which it happened.
    std::vector<Touch> touches;
    std::vector<Comparison> comparisons;
    std::vector<Ballot> ballots;
    std::vector<Rank> ranks;
    std::vector<LookBack> look_backs;
};

}  // namespace glsort
