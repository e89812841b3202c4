#pragma once

#include <glsort/stream/program.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "moment.h"

/// The work of the ops of a radix sort, derived from the descriptions of their kernels and from their labels.
namespace glsort::demo {

/// Bits of the keys' codes. Bit 0 is the lowest.
struct Digit {
    std::uint32_t shift = 0;
    std::uint32_t bits = 0;

    std::uint32_t values() const { return 1u << bits; }
    friend bool operator==(const Digit&, const Digit&) = default;
};

/// The value of a digit in an element, whose first words are the code of its key.
std::uint32_t digit_of(const StreamProgram& program, const Element& record, Digit digit);

/// An op of a radix sort.
struct RadixOp {
    enum class Does {
        count,      ///< Counts how often each value of the digit occurs.
        scan,       ///< Computes where each value begins.
        scatter,    ///< Moves the elements there.
        count_all,  ///< Counts for the digits of all passes at once.
        group,      ///< Sorts by all digits in one group.
    };
    Does does = Does::count;
    std::size_t pass = 0;
    std::vector<Digit> digits;  ///< The digits of all passes. For `group`: of its rounds.
    std::uint32_t count = 0;    ///< Elements.
    std::uint32_t length = 0;   ///< Elements of a group's partition or tile.

    const Digit& digit() const { return digits[pass]; }
};

/// What op `number` of a program does. Nothing for ops that do not belong to a radix sort.
std::optional<RadixOp> radix_op_of(const StreamProgram& program, std::size_t number);

/// What is known about a pass at a moment.
struct DigitTable {
    std::vector<std::uint32_t> counts;  ///< The count of each value of the digit.
    /// Where the elements of each value go. Empty if that is not known yet. Each value has several starts, ascending,
    /// if partitions have separate places.
    std::vector<std::vector<std::uint32_t>> starts;
};
DigitTable digit_table(const Moment& moment, const RadixOp& op, std::size_t pass);

/// The order after a stable sort by a digit, as indices of elements. `order`: the order before.
std::vector<std::uint32_t> sorted_by_digit(const StreamProgram& program, std::span<const Element> records, Digit digit,
                                           std::span<const std::uint32_t> order);

}  // namespace glsort::demo
