#pragma once

#include <glsort/error.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// What to sort, as plain values without OpenGL. `Sorter`, `CpuSorter` and `plan` all take a `SortSpec`.

namespace glsort {

/// The type of a key. A sort moves keys as bits, and changes none of the bits.
///
/// Ascending, floats go from -Inf to -0, then from +0 to +Inf. NaNs come last: first those with a sign bit of 0, in the
/// order of their bits. NaNs with a sign bit of 1 follow, in the reverse order of their bits.
enum class KeyType { u32, i32, f32, u64, i64, f64 };

/// `descending` is the exact reverse of the order of the keys. Equal keys keep their input order in both directions.
enum class Direction { ascending, descending };

/// An order that the caller defines, for keys of up to 16 bytes. Two keys are equal if neither comes before the other.
/// Equal keys keep their input order.
struct Comparison {
    /// A key as it lies in memory, word by word. Words past the end of the key are zero.
    using Key = std::array<std::uint32_t, 4>;

    /// Stands in printed programs and in the messages of shader compilers.
    std::string name = "comparison";
    /// Bytes of a key: 4, 8, 12 or 16. A capacity has at most (2^32-1) / 3 keys of 12 bytes. Textures hold no value
    /// beside a key of 16 bytes.
    std::uint32_t key_bytes = 4;
    /// GLSL that defines the function `bool comes_before(K a, K b)`, a strict weak order.
    ///
    /// `K` stands for uint if a key has 4 bytes, uvec2 for 8, uvec3 for 12, uvec4 for 16. The function gets the bits of
    /// the keys, which `uintBitsToFloat` turns into floats.
    ///
    /// The text compiles as GLSL 3.30 or GLSL ES 3.00, whichever the context has. On the compute backend the text may
    /// use all of GLSL 4.30 or GLSL ES 3.10. The text comes first in a shader. Functions, types, constants and macros
    /// may have any names, with three exceptions: `main`, names of GLSL itself, and names that begin with `glsort_` or
    /// `GLSORT_`.
    /// Comments and conditions end in the text. The text has no `#line` and no `#version`. `plan` and sorters refuse
    /// other texts, by the name of the comparison and the line.
    ///
    /// An order that compares NaNs by `<` is not a strict weak order. GPUs may take subnormal floats for zero.
    std::string glsl = {};
    /// The order of `glsl` in C++, called by the thread that sorts. Only CpuSorter needs the function.
    std::function<bool(const Key& a, const Key& b)> host = nullptr;
};

/// Where a stream program runs. A sorter resolves `automatic` at construction.
enum class Backend { automatic, fragment, compute, cpu };

/// How the index i of an element maps to a texel of a 2D texture.
enum class Layout {
    row_wise,  ///< x is i modulo the width, y is i divided by the width.
    z_order,   ///< The even bits of i are x, the odd bits y (Greß and Zachmann 2006, section 6.2).
};

/// Where the caller's keys and values live.
enum class Medium { buffer, texture };

/// What travels with a key.
struct Payload {
    enum class Kind {
        none,   ///< Nothing: keys only.
        index,  ///< The position of the key in the input, written by the sort: 4 bytes.
        bytes,  ///< A value of the caller's, moved with its key. In textures a value has 4 bytes.
    };
    Kind kind = Kind::index;
    /// Bytes of a value in memory: 0 for `none`, 4 for `index`, otherwise a multiple of 4. The values of a whole
    /// capacity have at most 2^32-1 words.
    std::uint32_t size = 4;

    static constexpr Payload none() { return {Kind::none, 0}; }
    static constexpr Payload index() { return {Kind::index, 4}; }
    static constexpr Payload bytes(std::uint32_t size) { return {Kind::bytes, size}; }
    friend bool operator==(const Payload&, const Payload&) = default;
};

/// Bytes of a key in memory: 4 or 8.
constexpr std::uint32_t key_bytes(KeyType type) {
    return type == KeyType::u64 || type == KeyType::i64 || type == KeyType::f64 ? 8 : 4;
}

/// The bits of a key that a sort compares: from `first` (0 is the lowest bit) up to, but not including, `end`. Keys
/// that agree in these bits are equal.
///
/// A sort takes the bits from the code of a key: an unsigned number with the order of the keys. For unsigned integers
/// the code is the key. For signed integers the code is the key with an inverted sign bit. For floats the code of -Inf
/// is 0, and codes grow with the floats up to the NaNs.
struct BitRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;  ///< 0: up to the last bit of the key.
    /// The range for keys of `type`, with the number of the last bit plus one for an `end` of 0.
    constexpr BitRange of(KeyType type) const { return {first, end != 0 ? end : 8 * key_bytes(type)}; }
    friend bool operator==(const BitRange&, const BitRange&) = default;
};

/// The order of the keys.
struct SortOrder {
    KeyType key = KeyType::u32;  ///< Ignored with a comparison.
    /// The bits of the key to compare. The default is all bits. Some algorithms take fewer (`Takes::bits` in
    /// planner.h).
    BitRange bits = {};
    /// Replaces `key`: gives the order and the size of the keys. Some algorithms take comparisons (`Takes::comparison`
    /// in planner.h).
    std::optional<Comparison> comparison = std::nullopt;
    Direction direction = Direction::ascending;
};

/// Bytes of a key in memory: `Comparison::key_bytes` if there is a comparison, otherwise those of the type.
inline std::uint32_t key_bytes(const SortOrder& order) {
    return order.comparison ? order.comparison->key_bytes : key_bytes(order.key);
}

/// Values that change how fast a sort is, and never its result. 0 leaves a value to the library, which takes what was
/// fastest in docs/experiments.md. An algorithm reads the values of its own family only. If another value is not 0,
/// construction and `plan` throw an `Error` that names the value.
struct Tuning {
    struct Radix {
        std::uint32_t digit_bits = 0;  ///< Bits of a digit, from 1 to `Takes::digit_bits`.
    };
    struct Sample {
        /// Elements of a tile, which a group of invocations sorts in shared memory. A power of two from 16 on. The max
        /// is what fits into the shared memory of the device.
        std::uint32_t tile = 0;
        /// Samples of a tile: a power of two from 4 to the tile. More samples give more and smaller buckets.
        std::uint32_t samples = 0;
    };
    struct Networks {
        /// Elements of a tile of `bitonic:local`, which a group of invocations sorts in shared memory. A power of two
        /// from 4 on. The max is what fits into the shared memory of the device.
        std::uint32_t tile = 0;
    };
    Radix radix = {};
    Sample sample = {};
    Networks networks = {};
};

/// The max number of lists that one merge takes.
inline constexpr std::uint32_t max_merge_lists = 64;

/// What a sorter or a program is made for.
struct SortSpec {
    SortOrder order = {};
    Payload payload = Payload::index();
    /// The max count of a sort, in elements: 1 to 2^32-1, if the memory of the device suffices. Construction allocates
    /// memory for this count. CpuSorter ignores the capacity. For the planner 0 stands for `PlanRequest::n`.
    std::uint32_t capacity = 0;
    /// `NAME` or `NAME:VARIANT` of `algorithms()` (planner.h), or `automatic`.
    std::string algorithm = "automatic";
    /// `fragment` needs OpenGL 3.3 or OpenGL ES 3.0, `compute` OpenGL 4.3 or OpenGL ES 3.1. `cpu` is for CpuSorter and
    /// the planner.
    ///
    /// For `automatic` a sorter takes compute if the context has compute shaders, or if the algorithm runs on compute
    /// alone. Otherwise a sorter takes fragment. A sorter also takes fragment, if the algorithm runs there, in two
    /// cases:
    /// - an `output` of texture in OpenGL ES;
    /// - a capacity that exceeds a limit of compute, but no limit of fragment.
    ///
    /// The planner knows no context. For `automatic` the planner takes fragment if the algorithm runs there, otherwise
    /// compute.
    Backend backend = Backend::automatic;
    Tuning tuning = {};
    /// The max number of lists of `Sorter::merge`, up to `max_merge_lists`. 0: the sorter merges nothing.
    /// `Takes::lists` (planner.h) says which algorithms merge. Merges cost some KiB, and three more shaders at
    /// construction. Above eight lists they cost six. The planner ignores this member.
    std::uint32_t max_lists = 0;
    /// The layout of the library's own textures, and of textures that `Sorter::texture_for` describes. Without a value:
    /// the layout in which the algorithm is fastest.
    std::optional<Layout> layout = std::nullopt;
    Medium input = Medium::buffer;
    /// From buffers to buffers a sort works in place. An `input` of texture needs an `output` of texture.
    Medium output = Medium::buffer;
    /// Whether the sorter allocates the output texture, which `Sorter::sort_to_texture` returns. Needs an `output` of
    /// texture.
    bool own_output = false;
    /// The GPU alone knows the count of each sort, which lies in a buffer (`SortArguments::gpu_count`). For algorithms
    /// with `Takes::gpu_count` (planner.h), and without `max_lists`. The program is that of the capacity, over fewer
    /// elements: `n` of a plan is the capacity. On the fragment backend, the layout and an output texture are row-wise.
    /// There, a sort in place leaves any value in the elements of the buffers from the count to the capacity.
    bool gpu_count = false;
};

/// The names that the command line, JSON and messages use: `u32`, `ascending`, `fragment`, `z-order`, `buffer`. A
/// payload is `none`, `index` or its size in bytes.
GLSORT_API std::string_view to_string(KeyType type);
GLSORT_API std::string_view to_string(Direction direction);
GLSORT_API std::string_view to_string(Backend backend);
GLSORT_API std::string_view to_string(Layout layout);
GLSORT_API std::string_view to_string(Medium medium);
GLSORT_API std::string to_string(const Payload& payload);

/// The inverse of `to_string`. For any other text throws `Error` with the text and the names that exist.
GLSORT_API KeyType key_type_from_string(std::string_view text);
GLSORT_API Direction direction_from_string(std::string_view text);
GLSORT_API Backend backend_from_string(std::string_view text);
GLSORT_API Layout layout_from_string(std::string_view text);
GLSORT_API Medium medium_from_string(std::string_view text);
GLSORT_API Payload payload_from_string(std::string_view text);

}  // namespace glsort
