#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Ready-made comparisons for the self-test.

namespace glsort::check {

struct KnownComparison {
    Comparison comparison;
    /// Whether the comparison is a strict weak order. With any other comparison, a sort must end and stay within its
    /// bounds. The result has any value.
    bool strict_weak = true;
};

/// Comparisons for each length of keys. Some of the comparisons are no strict weak order.
const std::vector<KnownComparison>& comparisons();

/// Makes `n` keys for a comparison. Many of the keys are equal, bit for bit or by the comparison.
std::vector<std::uint32_t> make_comparison_keys(const Comparison& comparison, std::size_t n, std::uint64_t seed);

}  // namespace glsort::check
