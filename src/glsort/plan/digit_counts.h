#pragma once

#include <glsort/spec.h>
#include <glsort/stream/kernel.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace glsort {

/// What a sort by digits counts before it moves anything.
struct DigitCounts {
    BitRange bits;                 ///< Of the codes.
    std::uint32_t digit_bits = 0;  ///< Bits of a digit. The last digit may have fewer.
    std::uint32_t passes = 0;      ///< Digits of a code.
    /// Words that must be zero before the sort: results of groups.
    std::uint32_t status = 0;

    /// Copies of the last pass's counts in a group. Different invocations add to different copies (digit_counts.glsl).
    static constexpr std::uint32_t copies = 4;

    /// Counts of all digit values of all passes. The values of a pass are neighbours.
    std::uint32_t columns() const { return passes << digit_bits; }
    /// Words of shared memory in which a group counts.
    std::uint32_t shared_words() const { return columns() + ((copies - 1) << digit_bits); }
};

/// Adds 1 for each digit of a code. `counts` has a number for each column.
void count_digits(std::uint64_t code, const DigitCounts& digits, std::vector<std::uint32_t>& counts);

/// Moves the sums of all groups from the output `sums` to the output `totals`, and leaves zeros in `sums`.
void move_sums(CpuInvocation& k, std::size_t sums, std::size_t totals, const DigitCounts& digits);

/// Defines the macros that digit_counts.glsl expects, and gives the kernel the shared memory.
void declare_digit_counts(Kernel& kernel, const DigitCounts& digits);

}  // namespace glsort
