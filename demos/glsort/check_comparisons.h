#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Ready-made comparisons for the self-test.

namespace glsort::check {

struct KnownComparison {
    Comparison comparison;
    /// Whether it is an order. If not, a sort must end and stay within its bounds; its result is anything.
    bool strict_weak = true;
};

/// Some of each length of keys, and some that are no strict weak order.
const std::vector<KnownComparison>& comparisons();

/// `n` keys for it, in which many are equal: to each other, or to the comparison.
std::vector<std::uint32_t> make_comparison_keys(const Comparison& comparison, std::size_t n, std::uint64_t seed);

}  // namespace glsort::check
