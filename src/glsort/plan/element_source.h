#pragma once

#include <glsort/plan/element_type.h>
#include <glsort/planner.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace glsort {

/// What a sort by digits counts before it moves anything.
struct DigitCounts {
    BitRange bits;                 ///< Of the codes.
    std::uint32_t digit_bits = 0;  ///< Bits of a digit. The last digit may have fewer.
    std::uint32_t passes = 0;      ///< Digits of a code.
    /// Words that must be zero before the sort: results of groups.
    std::uint32_t status = 0;

    /// Counts of the last pass that a group keeps, for different invocations (digit_counts.glsl).
    static constexpr std::uint32_t copies = 4;

    /// Counts of all digit values of all passes. The values of a pass are neighbours.
    std::uint32_t columns() const { return passes << digit_bits; }
    /// Words of shared memory in which a group counts.
    std::uint32_t shared_words() const { return columns() + ((copies - 1) << digit_bits); }
};

/// Elements that do not lie one after the other in the caller's keys and values, and whose digits have been counted.
/// The sort writes keys and values as outputs, and reads them from here.
struct ElementSource {
    std::vector<Stream> streams;  ///< What the load chunk reads: inputs.
    /// The load chunk. `elements`: the max number of elements that an instance loads.
    std::function<std::shared_ptr<const Chunk>(const ElementType&, std::uint32_t elements)> load;
    DigitCounts digits;
};

}  // namespace glsort
