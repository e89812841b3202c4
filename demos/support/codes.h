#pragma once

#include <glsort/spec.h>

#include <cstdint>

/// Keys as unsigned numbers that sort the way the keys do; none of the library's code.
namespace glsort::demo {

/// Codes: unsigned numbers in the order of the keys. One to one, so that a code gives its key back.
template <class Bits>
struct Codes {
    static constexpr Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
    // The bits of -Inf, inverted: what would come before it are NaNs, and wraps round to the end.
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

    // The bits of the code that are compared.
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
