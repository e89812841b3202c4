#pragma once

#include <cstdint>
#include <glsort/spec.h>

/// Order-preserving codes: keys as unsigned integers that sort the way the keys do. A bijection, so
/// keys come back bit for bit. shaders/key_code.glsl is the same in GLSL.

namespace glsort {

/// The code of a 32-bit key.
///
/// i32: the sign bit flipped. f32: flip(bits) - 0x007fffff modulo 2^32, where flip is the usual
/// order-preserving map (negative numbers inverted, the sign bit of the others set): -Inf becomes 0,
/// and the NaNs with a sign, which flip puts before it, wrap round to the end.
/// Descending order inverts the code: equal codes then keep their input order.
constexpr std::uint32_t encode_key(KeyType type, Order order, std::uint32_t bits) {
    std::uint32_t code = bits;
    if (type == KeyType::i32) code = bits ^ 0x80000000u;
    if (type == KeyType::f32)
        code = (bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u)) - 0x007fffffu;
    return order == Order::descending ? ~code : code;
}

/// The inverse of `encode_key`.
constexpr std::uint32_t decode_key(KeyType type, Order order, std::uint32_t code) {
    if (order == Order::descending) code = ~code;
    if (type == KeyType::i32) return code ^ 0x80000000u;
    if (type == KeyType::f32) {
        const std::uint32_t flipped = code + 0x007fffffu;
        return flipped ^ ((flipped >> 31) != 0 ? 0x80000000u : 0xffffffffu);
    }
    return code;
}

}  // namespace glsort
