#pragma once

#include <glsort/spec.h>

#include <cstdint>

/// Keys as unsigned numbers with the order of the keys. Independent of the library's code, for comparison.
namespace glsort::demo {

/// Codes: unsigned numbers in the order of the keys. Each code belongs to one key.
template <class Bits>
struct Codes {
    static constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
    // The inverted bits of -Inf. Only NaNs have smaller numbers. Without `first` these NaNs would come before -Inf. The
    // subtraction of `first` moves them behind all other keys.
    static constexpr Bits first = sizeof(Bits) == 4 ? 0x007fffffu : 0x000fffffffffffffu;

    explicit Codes(KeyType key, Direction order = Direction::ascending, const BitRange& range = {})
        : is_signed(key == KeyType::i32 || key == KeyType::i64),
          is_float(key == KeyType::f32 || key == KeyType::f64),
          descending(order == Direction::descending),
          bits(range.of(key)) {}

    Bits code_of(Bits key) const {
        Bits code = key;
        if (is_signed) code = key ^ sign;
        if (is_float) code = ((key & sign) != 0 ? ~key : key ^ sign) - first;
        return descending ? ~code : code;
    }
    Bits key_of(Bits code) const {
        if (descending) code = ~code;
        if (is_signed) return code ^ sign;
        if (!is_float) return code;
        const Bits flipped = code + first;
        return (flipped & sign) != 0 ? flipped ^ sign : ~flipped;
    }

    // The bits of the code that a sort compares.
    Bits compared(Bits key) const {
        const std::uint32_t above = 8 * sizeof(Bits) - bits.end;
        return static_cast<Bits>(code_of(key) << above) >> (above + bits.first);
    }

    bool is_signed;
    bool is_float;
    bool descending;
    BitRange bits;
};

}  // namespace glsort::demo
