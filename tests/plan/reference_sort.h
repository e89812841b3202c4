#pragma once

#include <glsort/spec.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

/// The order of keys as the specification words it (spec.h), without codes: what sorts are compared
/// with.

namespace glsort::test {

/// Whether key `a` comes before key `b`, ascending. Raw bits of u32, i32 or f32.
inline bool key_precedes(KeyType type, std::uint32_t a, std::uint32_t b) {
    if (type == KeyType::u32) return a < b;
    if (type == KeyType::i32)
        return std::bit_cast<std::int32_t>(a) < std::bit_cast<std::int32_t>(b);
    const auto x = std::bit_cast<float>(a);
    const auto y = std::bit_cast<float>(b);
    if (std::isnan(x) || std::isnan(y)) {
        if (std::isnan(x) != std::isnan(y)) return std::isnan(y);
        // Among NaNs by code: those without a sign upwards by their bits, then the others
        // downwards.
        const bool negative = std::signbit(x);
        if (negative != std::signbit(y)) return !negative;
        return negative ? a > b : a < b;
    }
    if (x != y) return x < y;
    return std::signbit(x) && !std::signbit(y);  // -0 before +0
}

/// The permutation that sorts `keys`: element i of the result is the place the i-th key came from.
inline std::vector<std::uint32_t> sorted_order(KeyType type, Order order,
                                               const std::vector<std::uint32_t>& keys) {
    std::vector<std::uint32_t> permutation(keys.size());
    std::iota(permutation.begin(), permutation.end(), 0u);
    std::stable_sort(permutation.begin(), permutation.end(), [&](std::uint32_t i, std::uint32_t j) {
        return order == Order::ascending ? key_precedes(type, keys[i], keys[j])
                                         : key_precedes(type, keys[j], keys[i]);
    });
    return permutation;
}

}  // namespace glsort::test
