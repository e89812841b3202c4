#pragma once

#include <glsort/spec.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "plan/reference_sort.h"

/// Sorted lists, one after the other, and the result of a merge of them.

namespace glsort::test {

/// Lengths of `count` lists with n elements in all. The lists are even, random, or very uneven: some are empty, and one
/// has most elements.
inline std::vector<std::uint32_t> list_lengths(std::uint32_t n, std::uint32_t count, std::mt19937_64& random) {
    std::vector<std::uint32_t> cuts(count + 1, 0);
    cuts.back() = n;
    const auto kind = random() % 3;
    for (std::uint32_t i = 1; i < count; ++i) {
        if (kind == 0) cuts[i] = static_cast<std::uint32_t>(std::uint64_t{n} * i / count);
        if (kind == 1) cuts[i] = static_cast<std::uint32_t>(random() % (n + 1));
        // Cuts near both ends: few elements lie on either side of a long list.
        if (kind == 2) {
            const auto few = static_cast<std::uint32_t>(random() % 8);
            cuts[i] = random() % 2 == 0 ? std::min(few, n) : n - std::min(few, n);
        }
    }
    std::ranges::sort(cuts);
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t i = 0; i < count; ++i)
        lengths.push_back(cuts[i + 1] - cuts[i]);
    return lengths;
}

/// Whether key `a` comes before key `b`. Keys of 64 bits are u64 or i64, with the low word first. Keys of 32 bits have
/// any type.
inline bool list_key_precedes(KeyType type, const std::uint32_t* a, const std::uint32_t* b) {
    if (key_bytes(type) == 4) return key_precedes(type, *a, *b);
    const std::uint64_t x = std::uint64_t{a[1]} << 32 | a[0];
    const std::uint64_t y = std::uint64_t{b[1]} << 32 | b[0];
    if (type == KeyType::u64) return x < y;
    return static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y);
}

/// The permutation by which std::stable_sort sorts elements begin ... end-1 of `keys`, comparing whole keys.
inline std::vector<std::uint32_t> stable_order(KeyType type, Direction order, const std::vector<std::uint32_t>& keys,
                                               std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t words = key_bytes(type) / 4;
    std::vector<std::uint32_t> permutation(end - begin);
    std::iota(permutation.begin(), permutation.end(), begin);
    std::ranges::stable_sort(permutation, [&](std::uint32_t i, std::uint32_t j) {
        if (order == Direction::descending) std::swap(i, j);
        return list_key_precedes(type, &keys[std::size_t{i} * words], &keys[std::size_t{j} * words]);
    });
    return permutation;
}

/// Elements of `words` words each, in the order of `permutation`, which may leave elements out.
inline std::vector<std::uint32_t> permuted(const std::vector<std::uint32_t>& elements, std::uint32_t words,
                                           const std::vector<std::uint32_t>& permutation) {
    std::vector<std::uint32_t> result;
    for (const std::uint32_t i : permutation)
        for (std::uint32_t w = 0; w < words; ++w)
            result.push_back(elements[std::size_t{i} * words + w]);
    return result;
}

/// Random keys in sorted lists. About `distinct` keys differ.
inline std::vector<std::uint32_t> sorted_lists(KeyType type, Direction order, const std::vector<std::uint32_t>& lengths,
                                               std::uint64_t distinct, std::mt19937_64& random) {
    const std::uint32_t words = key_bytes(type) / 4;
    std::vector<std::uint32_t> keys;
    std::uint32_t begin = 0;
    // An odd factor spreads different keys over all words.
    const std::uint64_t factor = random() | 1;
    for (const std::uint32_t length : lengths) {
        for (std::uint32_t i = 0; i < length; ++i) {
            const std::uint64_t key = random() % distinct * factor;
            keys.push_back(static_cast<std::uint32_t>(key >> 32));
            if (words == 2) keys.push_back(static_cast<std::uint32_t>(key));
        }
        const auto list = permuted(keys, words, stable_order(type, order, keys, begin, begin + length));
        std::ranges::copy(list, keys.begin() + std::ptrdiff_t{begin} * words);
        begin += length;
    }
    return keys;
}

}  // namespace glsort::test
