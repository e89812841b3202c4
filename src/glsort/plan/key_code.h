#pragma once

#include <glsort/spec.h>
#include <concepts>
#include <limits>

/// Order-preserving codes: unsigned integers that have the order of their keys. The map is a bijection, so keys come
/// back bit for bit. shaders/lib/key_code.glsl is the GLSL version.

namespace glsort {

namespace key_code {

constexpr bool is_signed(KeyType type) {
    return type == KeyType::i32 || type == KeyType::i64;
}
constexpr bool is_float(KeyType type) {
    return type == KeyType::f32 || type == KeyType::f64;
}

template <std::unsigned_integral Bits>
constexpr Bits sign = Bits{1} << (std::numeric_limits<Bits>::digits - 1);

/// A mask of the mantissa bits. As a number, the mask is the number of NaNs of each sign.
template <std::unsigned_integral Bits>
constexpr Bits nans = sizeof(Bits) == 4 ? Bits{0x007fffffu} : static_cast<Bits>(0x000fffffffffffffu);

}  // namespace key_code

/// The code of a key of 32 or 64 bits.
///
/// Signed integers: the code is the key with its sign bit flipped.
/// Floats: the code is flip(bits) - 0x007fffff modulo 2^32, or flip(bits) - 0x000fffffffffffff modulo 2^64. flip is the
/// usual order-preserving map: flip inverts negative numbers and sets the sign bit of the others. The code of -Inf is
/// 0. flip puts the NaNs with a sign bit before -Inf; the subtraction wraps these NaNs round to the end.
/// Descending order inverts the code. Elements with equal codes still keep their input order.
template <std::unsigned_integral Bits>
constexpr Bits encode_key(KeyType type, Direction direction, Bits bits) {
    using namespace key_code;
    Bits code = bits;
    if (is_signed(type)) code = bits ^ sign<Bits>;
    if (is_float(type)) code = ((bits & sign<Bits>) != 0 ? ~bits : bits ^ sign<Bits>)-nans<Bits>;
    return direction == Direction::descending ? ~code : code;
}

/// The inverse of `encode_key`.
template <std::unsigned_integral Bits>
constexpr Bits decode_key(KeyType type, Direction direction, Bits code) {
    using namespace key_code;
    if (direction == Direction::descending) code = ~code;
    if (is_signed(type)) return code ^ sign<Bits>;
    if (is_float(type)) {
        const Bits flipped = code + nans<Bits>;
        return (flipped & sign<Bits>) != 0 ? flipped ^ sign<Bits> : ~flipped;
    }
    return code;
}

}  // namespace glsort
