#pragma once

#include <glsort/error.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What to sort, as plain values without OpenGL. `Sorter`, `CpuSorter` and `plan` all take a `SortSpec`. `SceneSorter`
/// takes a `SceneSpec`.

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
    /// `GLSORT_`. Every comment and every preprocessor condition of the text must end in the text. The text has no
    /// `#line`, no `#version` and no zero byte. For other texts, `plan` and sorters throw an `Error` with the name of
    /// the comparison and the line.
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
    /// The bits of the key to compare. The default is all bits. Only some algorithms support a smaller range
    /// (`Takes::bits` in planner.h). On the fragment backend, only `merge` does. With a comparison, only the default is
    /// allowed.
    ///
    /// `radix` handles fewer bits in fewer passes, and takes less time. `merge` moves one word for each key of 4 bytes
    /// and its payload, if the compared bits and an index below the capacity have at most 32 bits together. With a
    /// payload, this takes about 0.6 of the time by all bits. Otherwise `merge` moves an index in a word of its own,
    /// also without a payload. Keys alone then take as long as keys with an index.
    BitRange bits = {};
    /// Replaces `key`: gives the order and the size of the keys. Only some algorithms support comparisons
    /// (`Takes::comparison` in planner.h).
    std::optional<Comparison> comparison = std::nullopt;
    Direction direction = Direction::ascending;
};

/// Whether only some of the bits of keys are compared.
inline bool compares_part(const SortOrder& order) {
    if (order.comparison) return order.bits != BitRange{};
    return order.bits.of(order.key) != BitRange{}.of(order.key);
}

/// Bytes of a key in memory: `Comparison::key_bytes` if there is a comparison, otherwise those of the type.
inline std::uint32_t key_bytes(const SortOrder& order) {
    return order.comparison ? order.comparison->key_bytes : key_bytes(order.key);
}

/// Values that change how fast a sort is, and never its result. A small tile of `sample` also lowers the largest
/// capacity. 0 leaves a value to the library, which takes what was fastest in docs/experiments.md. An algorithm reads
/// the values of its own family only. If a value of another family is not 0, construction and `plan` throw an `Error`
/// that names the value.
struct Tuning {
    struct Radix {
        std::uint32_t digit_bits = 0;  ///< Bits of a digit, from 1 to `Takes::digit_bits`. The device may allow fewer.
    };
    struct Sample {
        /// Elements of a tile, which a group of invocations sorts in shared memory. A power of two from 16 on. The max
        /// is the largest tile that a group of the device can sort.
        std::uint32_t tile = 0;
        /// Samples of a tile: a power of two from 4 to the tile. More samples give more and smaller buckets. The device
        /// may allow fewer.
        std::uint32_t samples = 0;
    };
    struct Networks {
        /// Elements of a tile of `bitonic:local`, which a group of invocations sorts in shared memory. A power of two
        /// from 4 on. The max is the largest tile that a group of the device can sort.
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
    /// The max count of a sort, in elements: from 1 to 2^32-1. The memory of the device may allow fewer. Construction
    /// allocates memory for this count. `sample` takes at most 2^29 elements, `radix:one-sweep` at most 2^30-1,
    /// `abisort` at most 2^30, and `abisort:fused` at most 2^31. With `max_lists`, any algorithm takes at most 2^31.
    /// CpuSorter ignores the capacity. For the planner 0 stands for `PlanRequest::n`.
    std::uint32_t capacity = 0;
    /// `NAME` or `NAME:VARIANT` of `algorithms()` (planner.h), or `automatic`.
    std::string algorithm = "automatic";
    /// `fragment` needs OpenGL 3.3 or OpenGL ES 3.0, `compute` OpenGL 4.3 or OpenGL ES 3.1. `cpu` is for CpuSorter and
    /// the planner.
    ///
    /// For `automatic`, an algorithm that only compute can run gets compute, or construction throws. An algorithm of
    /// both backends gets compute if the context has compute shaders, and otherwise fragment. In two more cases, such
    /// an algorithm gets fragment:
    /// - an `output` of texture in OpenGL ES;
    /// - a capacity that exceeds a limit of compute, but no limit of fragment.
    ///
    /// The planner knows no context. For `automatic` the planner takes fragment if the algorithm runs there, otherwise
    /// compute.
    Backend backend = Backend::automatic;
    Tuning tuning = {};
    /// The max number of lists of `Sorter::merge`, up to `max_merge_lists`. 0: the sorter merges nothing.
    /// `Takes::lists` (planner.h) says which algorithms merge. Above 0, `automatic` becomes such an algorithm for
    /// sorts, too, also where a radix sort would be faster. Merges cost up to five more shaders at construction, and
    /// with more than eight lists up to eight.
    /// With `merge:multiway`, merges of pairs cost no memory, unless a key's bits share a word with an index
    /// (`SortOrder::bits`). Other merges cost about one byte of memory for each element. The planner ignores this
    /// member.
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
    /// The GPU alone knows the count of each sort. For algorithms with `Takes::gpu_count` (planner.h), and without
    /// `max_lists`. Every sort runs the program of the capacity, on the elements up to the count. `n` of a plan is the
    /// capacity. On the fragment backend, the layout and an output texture are row-wise. There, a sort in place may
    /// change the elements of the buffers from the count up to the capacity.
    bool gpu_count = false;
    /// Where the count lies: in a buffer (`SortArguments::gpu_count`), or in a texel
    /// (`SortArguments::gpu_count_texture`). The planner ignores this member.
    Medium gpu_count_medium = Medium::buffer;
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

/// An input of a source: a number or vector for each element, in a buffer or a texture of the caller's.
///
/// An input in a texture (`medium`) has element i in texel i, row by row: level 0 of a GL_TEXTURE_2D. A texture for
/// `f32` has floats or normalised integers of any size, a texture for `u32` unsigned integers of any size.
///
/// The library gives the GLSL of the source a function named after the input: `vec4 NAME_at(uint element)` for floats,
/// `uvec4 NAME_at(uint element)` for integers. Components that the input lacks are taken from (0, 0, 0, 1), as for a
/// vertex attribute. The function reads any element that the input has in the call.
struct SceneInput {
    /// How a component lies in memory.
    enum class Type {
        f32,  ///< 4 bytes. GLSL gets a float.
        f16,  ///< 2 bytes. GLSL gets a float.
        u32,  ///< 4 bytes. GLSL gets a uint.
        u16,  ///< 2 bytes. GLSL gets a uint.
    };
    /// An identifier: a letter, then letters, digits and single underlines, the last one not an underline. Not a name
    /// of GLSL, not one that begins with `gl_`, `glsort_` or `GLSORT_`, and not the name of another input of the
    /// source. The GLSL of the source must not define `NAME_at`.
    std::string name;
    Type type = Type::f32;
    std::uint32_t components = 4;  ///< 1 to 4.
    /// Bytes from one element to the next: a multiple of 2. 0: elements lie one after the other. The stride may be
    /// smaller than an element, so that elements overlap.
    std::uint32_t stride = 0;
    /// Bytes from the start of the caller's slice to the first element: a multiple of 2. Components of 4 bytes may lie
    /// at any multiple of 2.
    ///
    /// The fragment backend in OpenGL reads elements of four components of 4 bytes fastest. This needs a stride, an
    /// offset and an offset of the slice that are multiples of 16, and at most four inputs of the source or result. So
    /// declare a fourth component wherever one follows in memory. `compute_view_keys` ignores the fourth component of a
    /// position.
    std::uint32_t offset = 0;
    /// 0: the input has as many elements as the source. Another number makes the input a table that all elements look
    /// up, such as the vertices of triangles. The number is the most elements of the table. A call may have fewer
    /// (`SceneArguments::Source::table_elements`). The GLSL must not read elements that the table does not have in the
    /// call.
    std::uint32_t elements = 0;
    /// For a texture, `type` is f32 or u32, `stride` and `offset` are 0. `components` counts the channels that are
    /// read.
    Medium medium = Medium::buffer;

    friend bool operator==(const SceneInput&, const SceneInput&) = default;
};

/// Bytes of a component in memory: 4 or 2.
constexpr std::uint32_t component_bytes(SceneInput::Type type) {
    return type == SceneInput::Type::f16 || type == SceneInput::Type::u16 ? 2 : 4;
}
/// Bytes from one element to the next.
constexpr std::uint32_t stride_of(const SceneInput& input) {
    return input.stride != 0 ? input.stride : input.components * component_bytes(input.type);
}

/// The inputs and values of a source or a result, as the C++ version of its GLSL (`host`) reads them.
class SceneElements {
  public:
    virtual ~SceneElements() = default;
    /// What `vec4 NAME_at(uint element)` returns. `input` is the number of the input in `SceneSource::inputs` or
    /// `SceneResult::inputs`.
    virtual std::array<float, 4> floats(std::size_t input, std::uint32_t element) const = 0;
    /// What `uvec4 NAME_at(uint element)` returns.
    virtual std::array<std::uint32_t, 4> uints(std::size_t input, std::uint32_t element) const = 0;
    /// What `vec4 NAME()` returns. `number` is the number of the value in `SceneSource::values` or
    /// `SceneResult::values`.
    virtual std::array<float, 4> value(std::size_t number) const = 0;
};

/// Elements of one kind, and the key of each: the particles of an emitter, the triangles of a mesh.
struct SceneSource {
    /// Stands in printed programs and in the messages of shader compilers.
    std::string name = "source";
    /// Max elements, from 0 on. A source of capacity 0 needs no arguments: its GLSL is not compiled, and its slices,
    /// textures and values are not looked at. All other rules hold.
    std::uint32_t capacity = 0;
    /// Whether the count of elements lies on the GPU: in a buffer (`SceneArguments::Source::gpu_count`), or in a texel
    /// (`SceneArguments::Source::gpu_count_texture`).
    bool gpu_count = false;
    Medium gpu_count_medium = Medium::buffer;
    std::vector<SceneInput> inputs = {};
    /// Names of values that are equal for all elements, and change from sort to sort, such as a row of the view matrix.
    /// Rules for names are those of inputs. For each name, GLSL may call `vec4 NAME()`. 0 to 16 values.
    std::vector<std::string> values = {};
    /// GLSL that defines the function `bool sort_key(uint element, out K key)`. False: the element is not drawn, and
    /// its key does not matter.
    ///
    /// `K` is float for `SceneSpec::key` f32, int for i32, uint for u32, and uvec2 (low word, high word) for u64.
    ///
    /// `Comparison::glsl` lists the rules for such a text. The functions of inputs and values are declared before the
    /// text. They belong to this source: texts of several sources may use equal names.
    ///
    /// A NaN sorts as `KeyType::f32` says. Where keys descend, items with a NaN come first. The NaN with the bits
    /// 0xffffffff counts as 0xfffffffe.
    std::string sort_key = {};
    /// The function of `sort_key` in C++: writes the bits of the key, the low word first, and returns whether the
    /// element is drawn. `SceneSorter` never calls this function. Tools that run `SceneSorter::key_program` on the CPU
    /// do. Null: these tools throw `Error`.
    std::function<bool(const SceneElements& elements, std::uint32_t element, std::array<std::uint32_t, 2>& key)> host =
        nullptr;
};

/// Keys of fewer bits, which a radix sort handles in fewer passes. A depth from `SceneArguments::nearest` to `farthest`
/// becomes a whole number of `key_bits` bits. Depths outside become the nearest or the farthest. The sort compares
/// these numbers only: depths that share a number keep the order of their items.
///
/// The largest item number also takes some bits. If these bits and `key_bits` are at most 32 together, every sort moves
/// one word for each item instead of two. An example: 2^16 items with keys of 16 bits.
///
/// A key that is not a number counts as the nearest depth. Without quantisation, such keys come first where keys
/// descend.
struct SceneQuantisation {
    enum class Scale {
        linear,  ///< Equal steps of depth.
        /// Equal steps of 1 / depth, as in the depth buffer of a perspective projection. Steps are finer near the
        /// camera. `SceneArguments::nearest` must be above 0.
        reciprocal,
    };
    Scale scale = Scale::linear;
    std::uint32_t key_bits = 16;  ///< 8 to 32.
};

/// A command of an indirect draw that each sort writes. The command draws the visible items. Its words are those of
/// OpenGL 4.6, section 10.4: `DrawArraysIndirectCommand` or `DrawElementsIndirectCommand`.
struct SceneCommand {
    enum class Kind {
        arrays,    ///< For `glDrawArraysIndirect`: 4 words.
        elements,  ///< For `glDrawElementsIndirect`: 5 words.
    };
    Kind kind = Kind::elements;
    /// Vertices or indices that draw one item. 1 if `SceneArguments::order` is the index buffer,
    /// `SceneTriangles::corners` if `SceneArguments::triangles` is. In other draws, a shader looks the item up in the
    /// order: by vertex number / `per_item`, or by instance number. Unless `instanced`, the product of `per_item` and
    /// the sum of all capacities is at most 2^32-1.
    std::uint32_t per_item = 1;
    /// Whether each item is an instance: the command has `per_item` vertices or indices, and as many instances as there
    /// are visible items. Otherwise the command has one instance, and `per_item` vertices or indices for each visible
    /// item.
    bool instanced = false;
    /// The first vertex or index. OpenGL counts indices from the start of the buffer object. For a slice of u32
    /// indices, `first` is the offset of the slice / 4. So each call must pass a slice with this offset.
    std::uint32_t first = 0;
    std::int32_t base_vertex = 0;     ///< Of `elements`. 0 for `SceneSpec::triangles`, which adds those of the sources.
    std::uint32_t base_instance = 0;  ///< Must be 0 for OpenGL ES.
};

/// The corners of triangles in the order of the items: the index buffer of a draw. The elements of all sources are
/// triangles of one index buffer of the caller's, because one draw reads all vertices from one vertex buffer. Element e
/// of a source has the three indices from `SceneArguments::Source::first_index + 3 * e` on. Elements may also be lines
/// or points: these have two indices, or one, in place of three (`corners`). The sum of all capacities is at most
/// (2^32-1) / `corners`.
struct SceneTriangles {
    /// The type of an index in the caller's buffer: u32 or u16. The result has u32 in both cases.
    SceneInput::Type type = SceneInput::Type::u32;
    /// The most indices in the caller's buffer, from 1 to 2^31. A call may have fewer (`SceneArguments::index_count`).
    std::uint32_t indices = 0;
    /// Indices of an element: 3 for triangles, 2 for lines, 1 for points. Several elements may have one vertex in
    /// common.
    std::uint32_t corners = 3;
};

/// The order in a texture: for contexts without indirect draws, and for WebGL2, whose index buffers the GPU cannot
/// write. A shader reads the item by `gl_InstanceID` or `gl_VertexID`.
///
/// Texels behind the visible items, up to the sum of the capacities, hold 0xffffffff as their item. If a draw has an
/// instance or vertex for every item, its shader must leave out these texels.
struct SceneTexture {
    enum class Form {
        items,  ///< GL_R32UI: an item in each texel.
        /// GL_RG32UI: the bits of a key, and the item. With 64-bit keys GL_RGBA32UI: low word, high word, item, 0. With
        /// `SceneSpec::quantisation`, the key is the quantised depth. Quantised depths always ascend in the texture: if
        /// `SceneSpec::direction` is descending, 0 stands for the farthest depth.
        keys_and_items,
        four_items,  ///< GL_RGBA32UI: four items in each texel.
    };
    Form form = Form::items;
};

/// What the caller's GLSL makes of each visible item, in order: data of instances for a draw, for example.
struct SceneResult {
    /// Stands in printed programs and in the messages of shader compilers.
    std::string name = "result";
    /// Tables that the GLSL may read, by functions `NAME_at` as in a source. `SceneInput::elements` must be set.
    std::vector<SceneInput> inputs = {};
    /// As `SceneSource::values`. 0 to 16.
    std::vector<std::string> values = {};
    /// W, the vectors of 16 bytes that an item takes in the result: 1 to 4.
    std::uint32_t vectors = 1;
    /// GLSL that defines the function `void sort_result(uint item, out uvec4 words[W])`. W is the number of `vectors`.
    ///
    /// The text may call `uvec2 scene_item(uint item)`, which returns the source and the element of the item. For the
    /// rest, the rules of `SceneSource::sort_key` hold.
    std::string sort_result = {};
    /// The function of `sort_result` in C++: writes the first `vectors` of `words`. Only tools that run
    /// `SceneSorter::sink_program` on the CPU call this function. Null: these tools throw `Error`.
    std::function<void(const SceneElements& elements, std::uint32_t item,
                       std::array<std::array<std::uint32_t, 4>, 4>& words)>
        host = nullptr;
};

/// Sources that are sorted as one.
///
/// The *item* number of an element is `base_of(sources, source) + element`. The number does not depend on counts. Equal
/// keys keep the order of their item numbers.
struct SceneSpec {
    /// 1 to 64 sources. The capacities add up to 1 at least and 2^32-2 at most.
    std::vector<SceneSource> sources = {};
    KeyType key = KeyType::f32;                   ///< f32, i32, u32 or u64.
    Direction direction = Direction::descending;  ///< Descending depths: from back to front.
    /// As `SortSpec::algorithm`. The algorithm must take a count on the GPU (`Takes::gpu_count`).
    std::string algorithm = "automatic";
    /// Automatic: compute if the context has compute shaders, enough storage blocks for the inputs, and storage blocks
    /// of enough bytes for all buffers at their capacities. Otherwise fragment. With `texture` in OpenGL ES, automatic
    /// takes fragment, and `compute` throws. `SceneSorter` throws for `cpu`.
    Backend backend = Backend::automatic;
    /// Only for `key` f32. Without a value, the sort compares all bits of the keys.
    std::optional<SceneQuantisation> quantisation = std::nullopt;
    /// Commands that each sort writes. 0 to 16.
    std::vector<SceneCommand> commands = {};
    /// Whether the numbers of the visible items go to `SceneArguments::order`. If another result is enough, false saves
    /// an op on the fragment backend, and on the compute backend if key and item share a word.
    bool order = true;
    std::optional<SceneTriangles> triangles = std::nullopt;
    std::optional<SceneTexture> texture = std::nullopt;
    std::vector<SceneResult> results = {};  ///< 0 to 4.
};

/// The most commands of a scene.
inline constexpr std::size_t max_scene_commands = 16;
/// Bytes of a command: 16 or 20.
constexpr std::uint32_t command_bytes(SceneCommand::Kind kind) {
    return kind == SceneCommand::Kind::arrays ? 16 : 20;
}
/// The most results of a scene.
inline constexpr std::size_t max_scene_results = 4;
/// The most sources of a scene.
inline constexpr std::size_t max_scene_sources = 64;
/// The most values of a source or a result.
inline constexpr std::size_t max_scene_values = 16;

/// The item number of element 0 of a source: the sum of the capacities before it. `source` is at most the number of
/// sources, for which the result is the number of all items.
inline std::uint32_t base_of(const std::vector<SceneSource>& sources, std::size_t source) {
    std::uint32_t base = 0;
    for (std::size_t i = 0; i < source; ++i)
        base += sources[i].capacity;
    return base;
}

/// An item, taken apart.
struct SceneItem {
    std::size_t source = 0;
    std::uint32_t element = 0;
    friend bool operator==(const SceneItem&, const SceneItem&) = default;
};
/// The source and the element of an item number. `item` must be below the sum of the capacities. Cost: linear in the
/// sources.
inline SceneItem item_of(const std::vector<SceneSource>& sources, std::uint32_t item) {
    std::size_t source = 0;
    while (item >= sources[source].capacity)
        item -= sources[source++].capacity;
    return {source, item};
}

}  // namespace glsort
