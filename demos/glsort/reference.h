#pragma once

#include <glsort/spec.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/distributions.h"

/// Keys and values in host memory, and the expected results of sorts.
namespace glsort::demo {

/// The type of the elements, and their order.
struct ItemType {
    KeyType key = KeyType::u32;
    Payload payload = Payload::index();
    Direction order = Direction::ascending;
    BitRange bits = {};  ///< Bits of the keys' codes (plan/key_code.h). Default: all bits.
};

/// Keys and their values as raw bits, one after the other.
struct Items {
    std::size_t count = 0;
    std::vector<std::uint32_t> keys;    ///< A 64-bit key takes two words, the low word first.
    std::vector<std::uint32_t> values;  ///< Padded to whole words. Empty without a payload.
};

/// 32-bit words that hold `count` values.
std::size_t value_words(const Payload& payload, std::size_t count);

/// Makes items of a distribution. Values of the caller (payload bytes) are random, too. Two such values of 4 bytes or
/// more always differ. Values that the sort writes (payload index) are 0.
Items make_items(const ItemType& type, Distribution distribution, std::size_t n, std::uint64_t seed);

/// Makes values like make_items(), for other keys.
std::vector<std::uint32_t> make_values(const Payload& payload, std::size_t n);

/// Sorts `input` by std::stable_sort, without the library. Every backend must give this result, bit for bit.
Items sorted_reference(const Items& input, const ItemType& type);

/// The items `input[order[0]], input[order[1]], ...`. For the payload index, the values are `order`.
Items gathered(const Items& input, const ItemType& type, const std::vector<std::uint32_t>& order);

/// A description of the first difference between `result` and `expected`. Empty if both are equal.
std::optional<std::string> first_difference(const Items& result, const Items& expected, const ItemType& type);

}  // namespace glsort::demo
