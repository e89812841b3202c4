#pragma once

#include <glsort/spec.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

/// The order of keys in the words of the specification (spec.h), without codes. Sorts are compared with this order.

namespace glsort::test {

/// Whether key `a` comes before key `b`, ascending. The keys are raw bits.
template <std::unsigned_integral Bits>
bool key_precedes(KeyType type, Bits a, Bits b) {
    using Integer = std::make_signed_t<Bits>;
    using Float = std::conditional_t<sizeof(Bits) == 4, float, double>;
    if (type == KeyType::u32 || type == KeyType::u64) return a < b;
    if (type == KeyType::i32 || type == KeyType::i64) return std::bit_cast<Integer>(a) < std::bit_cast<Integer>(b);
    const auto x = std::bit_cast<Float>(a);
    const auto y = std::bit_cast<Float>(b);
    if (std::isnan(x) || std::isnan(y)) {
        if (std::isnan(x) != std::isnan(y)) return std::isnan(y);
        // NaNs by code: the NaNs without a sign, ascending by bits, then the others, descending.
        const bool negative = std::signbit(x);
        if (negative != std::signbit(y)) return !negative;
        return negative ? a > b : a < b;
    }
    if (x != y) return x < y;
    return std::signbit(x) && !std::signbit(y);  // -0 before +0.
}

/// The permutation that sorts keys in memory; 64-bit keys have the low word first. Element i of the result is the input
/// place of the i-th key.
inline std::vector<std::uint32_t> sorted_order(KeyType type, Direction order, const std::vector<std::uint32_t>& words) {
    const bool wide = key_bytes(type) == 8;
    const auto precedes = [&](std::uint32_t i, std::uint32_t j) {
        if (!wide) return key_precedes(type, words[i], words[j]);
        const auto key = [&](std::size_t k) { return std::uint64_t{words[2 * k + 1]} << 32 | words[2 * k]; };
        return key_precedes(type, key(i), key(j));
    };
    std::vector<std::uint32_t> permutation(words.size() / (wide ? 2 : 1));
    std::iota(permutation.begin(), permutation.end(), 0u);
    std::stable_sort(permutation.begin(), permutation.end(), [&](std::uint32_t i, std::uint32_t j) {
        return order == Direction::ascending ? precedes(i, j) : precedes(j, i);
    });
    return permutation;
}

}  // namespace glsort::test
