#pragma once

#include <glsort/stream/program.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "moment.h"

/// What the ops of a radix sort do, read from what their kernels say of themselves, and from their labels.
namespace glsort::demo {

/// Bits of the keys' codes: the lowest is bit 0.
struct Digit {
    std::uint32_t shift = 0;
    std::uint32_t bits = 0;

    std::uint32_t values() const { return 1u << bits; }
    friend bool operator==(const Digit&, const Digit&) = default;
};

/// The value of a digit in a record, whose first words are the code of its key.
std::uint32_t digit_of(const StreamProgram& program, const Element& record, Digit digit);

/// An op of a radix sort.
struct RadixOp {
    enum class Does {
        count,      ///< How often each value of the digit occurs.
        scan,       ///< Where each value begins.
        scatter,    ///< Moves the elements there.
        count_all,  ///< Counts for the digits of all passes at once.
        group,      ///< Sorts by all digits, in one group.
    };
    Does does = Does::count;
    std::size_t pass = 0;
    std::vector<Digit> digits;  ///< Of all passes; of `group` those of its rounds.
    std::uint32_t count = 0;    ///< Elements.
    std::uint32_t length = 0;   ///< Of the stretch, or tile, of a group of invocations.

    const Digit& digit() const { return digits[pass]; }
};

/// What op `number` of a program does; nothing for ops that are no radix sort's.
std::optional<RadixOp> radix_op_of(const StreamProgram& program, std::size_t number);

/// What is known at a moment of a pass.
struct DigitTable {
    std::vector<std::uint32_t> counts;  ///< Of each value of the digit.
    /// Where the elements of each value go; empty where that is not known yet. Of each value several, ascending, where
    /// stretches have places of their own.
    std::vector<std::vector<std::uint32_t>> starts;
};
DigitTable digit_table(const Moment& moment, const RadixOp& op, std::size_t pass);

/// The order after a stable sort by a digit: which element comes first, second, ... `order` is the one before it.
std::vector<std::uint32_t> sorted_by_digit(const StreamProgram& program, std::span<const Element> records, Digit digit,
                                           std::span<const std::uint32_t> order);

}  // namespace glsort::demo
