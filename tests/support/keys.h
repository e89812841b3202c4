#pragma once

#include <glsort/spec.h>

#include <cstdint>
#include <vector>

#include "support/distributions.h"

/// Keys and values as they lie in memory: 32-bit words, the low word of a 64-bit key first.

namespace glsort::test {

/// 32-bit words of a key, and of a value of a payload.
constexpr std::uint32_t key_words(KeyType type) {
    return key_bytes(type) / 4;
}
constexpr std::uint32_t value_words(const Payload& payload) {
    return payload.size / 4;
}

/// The words that move together when a value moves. The offset of values in a buffer is a multiple of this size.
constexpr std::uint32_t chunk_words(const Payload& payload) {
    return payload.size % 16 == 0 ? 4 : payload.size % 8 == 0 ? 2 : 1;
}

/// n keys of a distribution.
inline std::vector<std::uint32_t> make_keys(demo::Distribution distribution, KeyType type, std::size_t n,
                                            std::uint64_t seed) {
    if (key_words(type) == 1) return demo::make_keys32(distribution, type, n, seed);
    std::vector<std::uint32_t> words;
    for (const std::uint64_t key : demo::make_keys64(distribution, type, n, seed)) {
        words.push_back(static_cast<std::uint32_t>(key));
        words.push_back(static_cast<std::uint32_t>(key >> 32));
    }
    return words;
}

/// The elements of `from` with the numbers in `order`. An element has `size` words.
inline std::vector<std::uint32_t> gathered(const std::vector<std::uint32_t>& from, std::uint32_t size,
                                           const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> to;
    for (const std::uint32_t i : order)
        for (std::uint32_t w = 0; w < size; ++w)
            to.push_back(from[std::size_t{i} * size + w]);
    return to;
}

}  // namespace glsort::test
