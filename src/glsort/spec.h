#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// What to sort, and where: plain values without OpenGL, shared by the planners, the sorters and
/// the programs.

namespace glsort {

/// Keys are bits in memory. Floats are handled as bits only and come back bit for bit. Ascending,
/// they go -Inf ... -0, +0 ... +Inf, then every NaN: first the positive ones (the sign bit is 0),
/// in the order of their bits; then the negative ones, in the reverse order of their bits.
enum class KeyType { u32, i32, f32, u64, i64, f64 };

/// `descending` is the exact reverse of the order of the keys; equal keys keep their input order
/// under both.
enum class Order { ascending, descending };

/// An order of the caller's own, for keys of up to 16 bytes. Keys that neither
/// comes before keep their input order.
struct Comparison {
    /// A key as it lies in memory, word by word; the words it does not have are zero.
    using Key = std::array<std::uint32_t, 4>;

    /// For people: in printed programs and in the messages of shader compilers.
    std::string name = "comparison";
    std::uint32_t key_bytes = 4;  ///< Bytes of a key: 4, 8, 12 or 16.
    /// GLSL that defines the function `bool comes_before(K a, K b)`, a strict weak order; K is uint, uvec2, uvec3 or
    /// uvec4 by the size of a key, whose bits it is given (uintBitsToFloat and its like are there). Valid
    /// as GLSL 3.30 and GLSL ES 3.00; on the compute backend 4.30 and ES 3.10 do. It comes first in a shader, and may
    /// define functions, types, constants and macros of any names but `main`, names of GLSL itself, and those that
    /// begin with `glsort_` or `GLSORT_`. No order is strict and weak that compares NaNs by `<`; and
    /// GPUs may take subnormal floats for zero.
    std::string glsl = {};
    /// The same in C++: CpuSorter needs it, sorters on the GPU do not.
    std::function<bool(const Key& a, const Key& b)> host = nullptr;
};

/// Where a stream program runs. `automatic` is resolved at construction.
enum class Backend { automatic, fragment, compute, cpu };

/// How the 1D index of a record maps to a texel of a 2D texture (GPU-ABiSort, section 6.2).
enum class Layout { row_wise, z_order };

/// Where the caller's keys and values live.
enum class Medium { buffer, texture };

/// What travels with a key.
struct Payload {
    enum class Kind {
        none,   ///< Keys only.
        index,  ///< The position of the key in the input, written by the sort: 4 bytes.
        bytes,  ///< A value of the caller's, moved with its key. In textures it has 4 bytes.
    };
    Kind kind = Kind::index;
    /// Bytes a value has in memory: 0 for `none`, 4 for `index`, else a multiple of 4.
    std::uint32_t size = 4;

    static constexpr Payload none() { return {Kind::none, 0}; }
    static constexpr Payload index() { return {Kind::index, 4}; }
    static constexpr Payload bytes(std::uint32_t size) { return {Kind::bytes, size}; }
    friend bool operator==(const Payload&, const Payload&) = default;
};

/// Bytes of a key in memory: 4 or 8. (A comparison says how long its keys are.)
constexpr std::uint32_t key_bytes(KeyType type) {
    return type == KeyType::u64 || type == KeyType::i64 || type == KeyType::f64 ? 8 : 4;
}

/// The same where a comparison orders the keys instead: what that says.
inline std::uint32_t key_bytes(KeyType type, const std::optional<Comparison>& comparison) {
    return comparison ? comparison->key_bytes : key_bytes(type);
}

/// The bits of a key that a sort goes by: `first` (0: the lowest) up to but not including `end`; keys that are
/// equal in these keep their input order. Of signed and of float keys, the bits of their code (plan/key_code.h).
struct BitRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;  ///< 0: to the last bit of the key.
    /// The same of keys of that type, with the end spelled out.
    constexpr BitRange of(KeyType type) const { return {first, end != 0 ? end : 8 * key_bytes(type)}; }
    friend bool operator==(const BitRange&, const BitRange&) = default;
};

/// The names used on the command line, in JSON and in messages: `u32`, `ascending`, `fragment`,
/// `z-order`, `buffer`; a payload is `none`, `index` or its size in bytes.
std::string_view to_string(KeyType type);
std::string_view to_string(Order order);
std::string_view to_string(Backend backend);
std::string_view to_string(Layout layout);
std::string_view to_string(Medium medium);
std::string to_string(const Payload& payload);

/// The inverse of `to_string`. Throws `Error` with the text, and the names that are accepted.
KeyType key_type_from_string(std::string_view text);
Order order_from_string(std::string_view text);
Backend backend_from_string(std::string_view text);
Layout layout_from_string(std::string_view text);
Medium medium_from_string(std::string_view text);
Payload payload_from_string(std::string_view text);

}  // namespace glsort
