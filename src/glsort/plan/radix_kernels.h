#pragma once

#include <glsort/plan/record_type.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <memory>

/// The kernels of the radix sorts (plan/radix.h).

namespace glsort::radix {

/// Bits of a record's code, the lowest first.
struct Digit {
    std::uint32_t shift = 0;
    std::uint32_t bits = 8;  ///< 1 to `most_digit_bits`; of `group_kernel` all that are compared.
};

/// What the kernels of one program have in common.
struct Setting {
    RecordType record;
    std::uint32_t invocations = 128;  ///< Of a group: a power of two, at least `scan_row`.
    std::uint32_t elements = 8;       ///< Of each: a power of two.
    std::uint32_t digit_bits = 8;     ///< Of the longest digit.

    std::uint32_t tile() const { return invocations * elements; }
    std::uint32_t digits() const { return 1u << digit_bits; }
    /// Words of shared memory that sorting a tile takes.
    std::uint32_t tile_words() const;
    /// The same of the kernel that takes most.
    std::uint32_t shared_words() const;
};

/// Invocations whose sums one invocation adds up (shaders/group_scan.glsl).
inline constexpr std::uint32_t scan_row = 16;

using KernelPtr = std::shared_ptr<const Kernel>;

/// The stretches of n elements: `stretches` of `length` elements each, but the last.
struct Stretches {
    std::uint32_t number = 0;
    std::uint32_t length = 0;  ///< Whole tiles.
};

/// `radix_count`: how often each digit occurs in each stretch, into element digit * stretches + stretch of
/// `counts`. Parameters: count, shift, bits, stretches, length. Its domain counts stretches.
KernelPtr count_kernel(const Setting& setting);

/// `radix_scan`: the sums of all elements before each. Parameter: elements. Its domain is one group.
KernelPtr scan_kernel(const Setting& setting);

/// `radix_scatter`: the elements of each stretch, to where `offsets` says that the first of each digit goes, and
/// behind it. Parameters and domain as `radix_count`.
KernelPtr scatter_kernel(const Setting& setting);

/// `radix_group`: sorts a tile or less, by all bits. Parameters: count, shift, bits. Its domain is one group.
KernelPtr group_kernel(const Setting& setting);

}  // namespace glsort::radix
