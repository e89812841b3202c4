#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/distributions.h"

/// Keys and values in host memory, and what sorting must make of them.
namespace glsort::demo {

/// What is sorted.
struct ItemType {
    KeyType key = KeyType::u32;
    Payload payload = Payload::index();
    Direction order = Direction::ascending;
    BitRange bits = {};  ///< Of the keys' codes (plan/key_code.h); all of them by default.
};

/// Keys and their values as raw bits, one after the other.
struct Items {
    std::size_t count = 0;
    std::vector<std::uint32_t> keys;    ///< 64-bit keys take two words, the lower one first.
    std::vector<std::uint32_t> values;  ///< Filled up to whole words; empty without a payload.
};

/// 32-bit words that hold `count` values.
std::size_t value_words(const Payload& payload, std::size_t count);

/// Items of a distribution. Values of the caller's (payload bytes) are random too, so that any two
/// of 4 bytes or more differ; where the sort writes the values (index), they are 0.
Items make_items(const ItemType& type, Distribution distribution, std::size_t n, std::uint64_t seed);

/// Values for keys that come from elsewhere, as make_items() makes them.
std::vector<std::uint32_t> make_values(const Payload& payload, std::size_t n);

/// `input`, sorted with std::stable_sort and nothing of the library: what any backend must give,
/// bit for bit.
Items sorted_reference(const Items& input, const ItemType& type);

/// The items `input[order[0]], input[order[1]], ...`; as values, `order` itself for an index.
Items gathered(const Items& input, const ItemType& type, const std::vector<std::uint32_t>& order);

/// The first position where `result` is not `expected`, in words; nothing where they are equal.
std::optional<std::string> first_difference(const Items& result, const Items& expected, const ItemType& type);

}  // namespace glsort::demo
