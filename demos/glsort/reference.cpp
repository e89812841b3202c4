#include "reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "support/codes.h"

namespace glsort::demo {
namespace {

// Whether a float precedes another: -Inf ... -0, +0 ... +Inf, then the NaNs. NaNs without a sign come first, by
// ascending bits. NaNs with a sign follow, by descending bits. The function compares floats and uses no codes, so that
// it cannot share an error with the library.
template <class Float, class Bits>
bool float_precedes(Bits a_bits, Bits b_bits) {
    const Float a = std::bit_cast<Float>(a_bits);
    const Float b = std::bit_cast<Float>(b_bits);
    const auto rank = [](Float x) { return !std::isnan(x) ? 0 : !std::signbit(x) ? 1 : 2; };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    if (rank(a) == 1) return a_bits < b_bits;
    if (rank(a) == 2) return a_bits > b_bits;
    return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

template <class Bits>
bool key_precedes(KeyType type, Bits a, Bits b) {
    using Signed = std::make_signed_t<Bits>;
    using Float = std::conditional_t<sizeof(Bits) == 4, float, double>;
    switch (type) {
        case KeyType::i32:
        case KeyType::i64:
            return static_cast<Signed>(a) < static_cast<Signed>(b);
        case KeyType::f32:
        case KeyType::f64:
            return float_precedes<Float>(a, b);
        case KeyType::u32:
        case KeyType::u64:
            break;
    }
    return a < b;
}

template <class Bits>
Bits key_at(const Items& items, std::size_t i) {
    Bits bits;
    std::memcpy(&bits, items.keys.data() + i * (sizeof bits / 4), sizeof bits);
    return bits;
}

template <class Bits>
std::vector<std::uint32_t> stable_order(const Items& input, const ItemType& type) {
    struct Record {
        Bits key;
        std::uint32_t index;
    };
    std::vector<Record> records(input.count);
    for (std::size_t i = 0; i < records.size(); ++i)
        records[i] = {key_at<Bits>(input, i), static_cast<std::uint32_t>(i)};
    const bool descending = type.order == Direction::descending;
    if (type.bits == BitRange{}) {
        std::stable_sort(records.begin(), records.end(), [&](const Record& a, const Record& b) {
            return descending ? key_precedes(type.key, b.key, a.key) : key_precedes(type.key, a.key, b.key);
        });
    } else {
        const Codes<Bits> codes(type.key, type.order, type.bits);
        std::ranges::stable_sort(records, {}, [&](const Record& record) { return codes.compared(record.key); });
    }
    std::vector<std::uint32_t> order(records.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = records[i].index;
    return order;
}

// splitmix64 (Steele, Lea, Flood): a bijection of 64 bits.
std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// Copies elements of `size` bytes.
std::vector<std::uint32_t> gather_bytes(const std::vector<std::uint32_t>& from, std::size_t size,
                                        const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> to((order.size() * size + 3) / 4);
    const auto* source = reinterpret_cast<const unsigned char*>(from.data());
    auto* target = reinterpret_cast<unsigned char*>(to.data());
    for (std::size_t i = 0; i < order.size(); ++i)
        std::memcpy(target + i * size, source + order[i] * size, size);
    return to;
}

// The bits of an element as a hexadecimal number, the highest byte first.
std::string hexadecimal(const std::vector<std::uint32_t>& words, std::size_t i, std::size_t size) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(words.data()) + i * size;
    std::string text = "0x";
    for (std::size_t b = size; b-- > 0;)
        text += fmt::format("{:02x}", bytes[b]);
    return text;
}

// The index of the first of `count` elements that differs, or `count` if all are equal.
std::size_t first_different(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, std::size_t count,
                            std::size_t size) {
    if (a == b) return count;
    const auto* a_bytes = reinterpret_cast<const unsigned char*>(a.data());
    const auto* b_bytes = reinterpret_cast<const unsigned char*>(b.data());
    std::size_t i = 0;
    while (i < count && std::memcmp(a_bytes + i * size, b_bytes + i * size, size) == 0)
        ++i;
    return i;
}

}  // namespace

std::size_t value_words(const Payload& payload, std::size_t count) {
    return (count * payload.size + 3) / 4;
}

std::vector<std::uint32_t> make_values(const Payload& payload, std::size_t n) {
    std::vector<std::uint32_t> values(value_words(payload, n));
    if (payload.kind != Payload::Kind::bytes) return values;
    auto* bytes = reinterpret_cast<unsigned char*>(values.data());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t b = 0; b < payload.size; b += 4) {
            // The first word is a bijection of i (an odd factor), the other words are noise.
            const auto word = static_cast<std::uint32_t>(b == 0 ? i * 0x9e3779b1u + 0x7f4a7c15u : mixed(i + (b << 32)));
            std::memcpy(bytes + i * payload.size + b, &word, std::min<std::size_t>(4, payload.size - b));
        }
    return values;
}

Items make_items(const ItemType& type, Distribution distribution, std::size_t n, std::uint64_t seed) {
    Items items;
    items.count = n;
    items.keys = make_key_words(distribution, type.key, n, seed);
    items.values = make_values(type.payload, n);
    return items;
}

Items gathered(const Items& input, const ItemType& type, const std::vector<std::uint32_t>& order) {
    Items result;
    result.count = order.size();
    result.keys = gather_bytes(input.keys, key_bytes(type.key), order);
    if (type.payload.kind == Payload::Kind::index) result.values = order;
    if (type.payload.kind == Payload::Kind::bytes) result.values = gather_bytes(input.values, type.payload.size, order);
    return result;
}

Items sorted_reference(const Items& input, const ItemType& type) {
    return gathered(
        input, type,
        key_bytes(type.key) == 4 ? stable_order<std::uint32_t>(input, type) : stable_order<std::uint64_t>(input, type));
}

std::optional<std::string> first_difference(const Items& result, const Items& expected, const ItemType& type) {
    if (result.keys.size() != expected.keys.size() || result.values.size() != expected.values.size())
        return fmt::format("{} words of keys and {} of values instead of {} and {}", result.keys.size(),
                           result.values.size(), expected.keys.size(), expected.values.size());
    const auto describe = [](std::size_t i, const char* what, std::size_t size, const auto& is, const auto& should_be) {
        return fmt::format("at position {} the {} is {} instead of {}", i, what, hexadecimal(is, i, size),
                           hexadecimal(should_be, i, size));
    };
    const std::size_t key_size = key_bytes(type.key);
    const std::size_t value_size = type.payload.size;
    const std::size_t key = first_different(result.keys, expected.keys, expected.count, key_size);
    const std::size_t value = first_different(result.values, expected.values, expected.count, value_size);
    if (key < expected.count && key <= value) return describe(key, "key", key_size, result.keys, expected.keys);
    if (value < expected.count) return describe(value, "value", value_size, result.values, expected.values);
    return std::nullopt;
}

}  // namespace glsort::demo
