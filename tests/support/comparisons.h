#pragma once

#include <glsort/plan/key_code.h>
#include <glsort/planner.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "plan/reference_sort.h"
#include "support/distributions.h"
#include "support/keys.h"

/// Comparisons of a caller, in GLSL and in C++, and keys for them. The functions below take a program, a request or a
/// specification, with a key type or with a comparison.

namespace glsort::test {

constexpr std::array<std::uint32_t, 4> comparison_key_bytes{4, 8, 12, 16};

/// The comparison of the tests for keys of `key_bytes` bytes. Different keys may be equal to the comparison, except
/// keys of 16 bytes.
inline Comparison comparison_of(std::uint32_t key_bytes) {
    using Key = Comparison::Key;
    switch (key_bytes) {
        case 4:
            return {.name = "by low bits",
                    .key_bytes = 4,
                    .glsl = "bool comes_before(uint a, uint b) { return (a & 0xffffu) < (b & 0xffffu); }\n",
                    .host = [](const Key& a, const Key& b) { return (a[0] & 0xffff) < (b[0] & 0xffff); }};
        case 8:
            return {.name = "depth, then material",
                    .key_bytes = 8,
                    // The comparison of docs/guide/comparisons.md.
                    .glsl = R"(
bool comes_before(uvec2 a, uvec2 b) {
    float depth_a = uintBitsToFloat(a.x), depth_b = uintBitsToFloat(b.x);
    return depth_a < depth_b || (depth_a == depth_b && a.y < b.y);
})",
                    .host = [](const Key& a, const Key& b) {
                        const auto depth_a = std::bit_cast<float>(a[0]);
                        const auto depth_b = std::bit_cast<float>(b[0]);
                        return depth_a < depth_b || (depth_a == depth_b && a[1] < b[1]);
                    }};
        case 12:
            return {.name = "third word, then second downwards",
                    .key_bytes = 12,
                    .glsl =
                        "bool comes_before(uvec3 a, uvec3 b) {\n"
                        "    return a.z < b.z || (a.z == b.z && a.y > b.y);\n"
                        "}\n",
                    .host = [](const Key& a, const Key& b) { return a[2] < b[2] || (a[2] == b[2] && a[1] > b[1]); }};
        default:
            return {.name = "128 bits",
                    .key_bytes = 16,
                    .glsl =
                        "bool comes_before(uvec4 a, uvec4 b) {\n"
                        "    if (a.w != b.w) return a.w < b.w;\n"
                        "    if (a.z != b.z) return a.z < b.z;\n"
                        "    return a.y < b.y || (a.y == b.y && a.x < b.x);\n"
                        "}\n",
                    .host = [](const Key& a, const Key& b) {
                        return std::tie(a[3], a[2], a[1], a[0]) < std::tie(b[3], b[2], b[1], b[0]);
                    }};
    }
}

/// Comparisons that are no order: "in circles" puts a before b, b before c, and c before a. "at random" draws the
/// answer for each pair of keys.
inline std::vector<Comparison> comparisons_without_order() {
    using Key = Comparison::Key;
    const auto random = [](std::uint32_t a, std::uint32_t b) {
        std::uint32_t x = a * 0x9e3779b9u + b * 0x85ebca6bu;
        x = (x ^ x >> 16) * 0x7feb352du;
        return ((x ^ x >> 15) & 1u) == 1u;
    };
    return {{.name = "in circles",
             .key_bytes = 8,
             .glsl = "bool comes_before(uvec2 a, uvec2 b) { return (a.x - b.x) % 3u == 1u; }\n",
             .host = [](const Key& a, const Key& b) { return (a[0] - b[0]) % 3 == 1; }},
            {.name = "at random",
             .key_bytes = 4,
             .glsl = "bool comes_before(uint a, uint b) {\n"
                     "    uint x = a * 0x9e3779b9u + b * 0x85ebca6bu;\n"
                     "    x = (x ^ x >> 16u) * 0x7feb352du;\n"
                     "    return ((x ^ x >> 15u) & 1u) == 1u;\n"
                     "}\n",
             .host = [random](const Key& a, const Key& b) { return random(a[0], b[0]); }},
            {.name = "always",
             .key_bytes = 12,
             .glsl = "bool comes_before(uvec3 a, uvec3 b) { return true; }\n",
             .host = [](const Key&, const Key&) { return true; }},
            {.name = "greater low bits, or less high bits",
             .key_bytes = 16,
             .glsl = "bool comes_before(uvec4 a, uvec4 b) { return a.x < b.x || (a.y & 0xffu) > (b.y & 0xffu); }\n",
             .host = [](const Key& a, const Key& b) { return a[0] < b[0] || (a[1] & 0xff) > (b[1] & 0xff); }}};
}

/// n keys for `comparison`. Many keys have equal bits, or different bits that the comparison takes for equal. Some
/// words are all ones.
inline std::vector<std::uint32_t> make_keys(const Comparison& comparison, std::size_t n, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::uint32_t size = comparison.key_bytes / 4;
    const bool few = random() % 2 == 0;
    std::vector<std::uint32_t> words;
    for (std::size_t i = 0; i < n * size; ++i) {
        const std::uint32_t some[] = {0, 1, 0x80000000u, 0xffffffffu};
        std::uint32_t word = few || random() % 4 == 0 ? some[random() % 4] : static_cast<std::uint32_t>(random());
        // A depth of either sign. No NaN and no subnormal number, which a GPU may take for zero. Zeros have both signs.
        if (size == 2 && i % 2 == 0)
            word = std::bit_cast<std::uint32_t>((random() % 2 == 0 ? 0.25f : -0.25f) *
                                                static_cast<float>(random() % (few ? 3 : 5000)));
        words.push_back(word);
    }
    return words;
}

/// The order of the keys of a specification, a request or a program.
inline SortOrder order_of(const SortSpec& spec) {
    return spec.order;
}
inline SortOrder order_of(const PlanRequest& request) {
    return request.spec.order;
}
inline SortOrder order_of(const StreamProgram& program) {
    SortOrder order{.key = program.key, .direction = program.direction};
    if (program.comparison) order.comparison = *program.comparison;
    return order;
}

/// 32-bit words of a key.
template <class Spec>
std::uint32_t words_of_key(const Spec& spec) {
    return key_bytes(order_of(spec)) / 4;
}

/// The key type or the comparison, as messages name them.
template <class Spec>
std::string name_of_key(const Spec& spec) {
    const SortOrder order = order_of(spec);
    return order.comparison ? order.comparison->name : std::string(to_string(order.key));
}

/// n keys. With a key type, keys of `distribution`.
template <class Spec>
std::vector<std::uint32_t> make_keys_of(const Spec& spec, demo::Distribution distribution, std::size_t n,
                                        std::uint64_t seed) {
    const SortOrder order = order_of(spec);
    return order.comparison ? make_keys(*order.comparison, n, seed) : make_keys(distribution, order.key, n, seed);
}

/// The compared bits of keys, as unsigned numbers of the keys' size. Keys and numbers are words in memory.
inline std::vector<std::uint32_t> compared_bits(const SortOrder& order, std::vector<std::uint32_t> words) {
    const BitRange bits = order.bits.of(order.key);
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - (bits.end - bits.first));
    const auto compared = [&](auto key) {
        return encode_key(order.key, Direction::ascending, key) >> bits.first & static_cast<decltype(key)>(mask);
    };
    if (key_bytes(order.key) == 4) {
        std::transform(words.begin(), words.end(), words.begin(), compared);
        return words;
    }
    for (std::size_t i = 0; i < words.size(); i += 2) {
        const std::uint64_t number = compared(std::uint64_t{words[i + 1]} << 32 | words[i]);
        words[i] = static_cast<std::uint32_t>(number);
        words[i + 1] = static_cast<std::uint32_t>(number >> 32);
    }
    return words;
}

/// The permutation that sorts keys, given as words in memory (`sorted_order`).
template <class Spec>
std::vector<std::uint32_t> sorted_order_of(const Spec& spec, const std::vector<std::uint32_t>& words) {
    const SortOrder order = order_of(spec);
    if (compares_part(order)) {
        const KeyType numbers = key_bytes(order.key) == 4 ? KeyType::u32 : KeyType::u64;
        return sorted_order(numbers, order.direction, compared_bits(order, words));
    }
    if (!order.comparison) return sorted_order(order.key, order.direction, words);
    const std::size_t size = order.comparison->key_bytes / 4;
    const auto key = [&](std::size_t i) {
        Comparison::Key found{};
        std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(i * size), size, found.begin());
        return found;
    };
    std::vector<std::uint32_t> permutation(words.size() / size);
    std::iota(permutation.begin(), permutation.end(), 0u);
    std::stable_sort(permutation.begin(), permutation.end(), [&](std::uint32_t i, std::uint32_t j) {
        return order.direction == Direction::ascending ? order.comparison->host(key(i), key(j))
                                                       : order.comparison->host(key(j), key(i));
    });
    return permutation;
}

}  // namespace glsort::test
