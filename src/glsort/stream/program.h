#pragma once

#include <glsort/error.h>
#include <glsort/limits.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/stream.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Stream programs: the list of ops that sorts n elements. A program does not depend on data, and is known before
/// anything runs. A program is a plain value, which can be validated, costed and printed.

namespace glsort {

/// An index into `StreamProgram::streams`. Programs that differ in their counts alone have equal streams at equal
/// indices.
using StreamId = std::size_t;

/// Who owns a stream, and how ops use the stream.
enum class StreamRole {
    input,     ///< The caller's; only read.
    output,    ///< The caller's; only written.
    in_place,  ///< The caller's; read, then overwritten.
    scratch,   ///< The library's.
};

/// `input`, `output`, `in place` or `scratch`.
GLSORT_API std::string_view to_string(StreamRole role);

/// Padding in a buffer: `length` unused elements after every `run` elements. `run` is a power of two; 0: no padding.
/// Without padding, successive writes of a kernel may be a power of two apart. A few memory channels of the GPU then
/// get all writes.
struct Padding {
    std::uint32_t run = 0;
    std::uint32_t length = 0;

    /// The place of an element in the buffer, in elements.
    std::uint64_t place(std::uint64_t element) const { return run == 0 ? element : element + element / run * length; }
    friend bool operator==(const Padding&, const Padding&) = default;
};

/// An ordered set of elements of one type in GPU memory.
struct GLSORT_API Stream {
    std::string name;
    StreamRole role = StreamRole::scratch;
    Medium medium = Medium::buffer;
    std::uint32_t words = 1;                ///< 32-bit words of an element, 1 to 4.
    std::uint32_t elements_per_record = 1;  ///< Elements that one kernel instance writes.
    Counted records = 0;                    ///< Records. No op draws or reads past the last record.
    StreamLayout layout;                    ///< Where records lie in a texture. Unused for a buffer.
    /// Whether the buffer is filled with zeros at allocation, by the owner. Kernels that count in the buffer must leave
    /// zeros behind. The owner fills the buffer again if a run leaves out ops.
    bool begins_zero = false;
    Padding padding = {};  ///< Only scratch buffers of the compute backend have padding.
    /// Only the caller's textures: whether ops get the width as a number, so that one shader serves row-wise textures
    /// of all widths.
    bool any_width = false;
    /// Only the caller's textures that are read: whether texels are floats. Words are the bits of the floats.
    bool floats = false;

    /// Bytes of the elements, without padding.
    std::uint64_t bytes() const { return std::uint64_t{4} * words * elements_per_record * records; }
    /// Bytes of the buffer that holds the stream, padding included.
    std::uint64_t buffer_bytes() const;
    /// 32-bit words of a texel: 1, 2 or 4. In a texture a record is one texel in each of `layers` layers. An element of
    /// three words takes four words in a texture.
    std::uint32_t texel_words() const;
    /// Layers of the array texture. Each layer takes one colour attachment of a draw.
    std::uint32_t layers() const;
    /// Bytes of the texture that holds the stream: the bytes of its bounding box.
    std::uint64_t texture_bytes() const;
};

/// A stream that an op uses, and the records that the op may read or write.
struct StreamUse {
    StreamId stream = 0;
    Substream records;
};

/// Where an op belongs in its algorithm: recursion level j, stage k, phase i, step. -1: the op has no such label. The
/// printer, debug groups, timers and the viewer all use these labels.
struct Labels {
    int level = -1;
    int stage = -1;
    int phase = -1;
    int step = -1;
    friend bool operator==(const Labels&, const Labels&) = default;
};

/// The parameters and labels of one block of an op's domain.
struct BlockDetail {
    /// One value for each block parameter of the kernel.
    std::vector<std::uint32_t> parameters;
    /// Labels of the block, for the labels that the op itself lacks.
    Labels labels;
};

/// A stream operation: one kernel over one substream.
struct Op {
    KernelPtr kernel;
    std::shared_ptr<const Chunk> load;   ///< Replaces the kernel's `loaded_input`; null: none.
    std::shared_ptr<const Chunk> store;  ///< Replaces the kernel's `stored_output`; null: none.
    /// One use for each port of `input_ports`, in that order.
    std::vector<StreamUse> reads;
    /// One use for each port of `output_ports`, in that order.
    std::vector<StreamUse> writes;
    /// The records or groups to run. Each record or group gets one instance.
    Substream domain;
    /// One value for each parameter of the kernel.
    std::vector<Counted> parameters;
    /// One entry for each block of the domain. Empty if blocks do not differ.
    std::vector<BlockDetail> blocks;
    Labels labels;
};

/// All ports that an op reads. The kernel's inputs come first, without the input that a load chunk replaces. The inputs
/// of the load chunk and of the store chunk follow.
GLSORT_API std::vector<Port> input_ports(const Op& op);

/// All ports that an op writes. The kernel's outputs come first, without the output that a store chunk replaces. The
/// outputs of the store chunk follow, with access `scatter` if the replaced output has access `scatter`.
GLSORT_API std::vector<Port> output_ports(const Op& op);

/// Whether the op finishes all its reads before its first write, and so may overwrite its inputs.
GLSORT_API bool reads_first(const Op& op);

/// A short name of an op for messages: `copy, stage 3, step 1`.
GLSORT_API std::string describe(const Op& op);

/// The caller's streams in a program. Without a value, the program has no such stream.
struct CallerStreams {
    std::optional<StreamId> keys;    ///< A buffer.
    std::optional<StreamId> values;  ///< A buffer.
    std::optional<StreamId> input;   ///< A texture.
    std::optional<StreamId> output;  ///< A texture.
    /// Buffers or textures in place of the caller's elements (`PlanRequest::source`): what the load chunk reads. For
    /// sorts with counted digits also how often each digit occurs, and a status that is zero.
    std::vector<StreamId> source = {};
};

/// The ops that sort `n` elements, or merge lists of them, and the streams that the ops use.
struct GLSORT_API StreamProgram {
    std::string algorithm;  ///< As in `Algorithm::name` (planner.h).
    std::string variant;    ///< As in `Algorithm::Variant::name`.
    Backend backend = Backend::cpu;
    StreamLayout layout;  ///< The layout of the streams that ops draw to.
    std::uint32_t n = 0;  ///< Elements to sort.
    /// The range of counts for which the program is valid. `set_count` changes the numbers that follow the count.
    /// Kernels, storage and barriers stay. Without a value, the program is valid for `n` only.
    std::optional<CountRange> counts;
    KeyType key = KeyType::u32;
    /// The caller's comparison, which replaces the order of `key`. Null: the order of `key`.
    std::shared_ptr<const Comparison> comparison;
    Payload payload;
    Direction direction = Direction::ascending;
    std::vector<Stream> streams;
    CallerStreams caller;
    std::vector<Op> ops;

    /// The index of the stream named `name`. Throws `Error` if there is none.
    StreamId stream(std::string_view name) const;
};

/// Changes the count of a program. Throws `Error` unless `StreamProgram::counts` contains the count. Cost: linear in
/// the ops, some nanoseconds for each op. Plans nothing and allocates nothing.
GLSORT_API void set_count(StreamProgram& program, std::uint32_t count);

/// A copy of a stream, with the records for the max count of the program. The storage of the stream must hold these
/// records.
GLSORT_API Stream largest_stream(const StreamProgram& program, StreamId id);

/// What a program costs, known before anything runs. An op counts as reading each record of its ranges once, but never
/// more elements than its instances read (`Port::elements`).
struct Cost {
    std::size_t ops = 0;
    std::uint64_t elements_read = 0;
    std::uint64_t elements_written = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
    /// Bytes of all scratch storages for this count. A sorter allocates for its capacity.
    std::uint64_t scratch_bytes = 0;
};

/// The cost for the current count of the program.
GLSORT_API Cost cost(const StreamProgram& program);

/// The cost for another count of the program. Throws `Error` if the count is not in `StreamProgram::counts`.
GLSORT_API Cost cost(StreamProgram program, std::uint32_t count);

/// A head, the streams, and one line per op: kernel, reads, writes, labels and parameters.
GLSORT_API std::string to_text(const StreamProgram& program);

/// The range of counts for which the program is valid, and the rules of all numbers that follow the count. Such numbers
/// are records of streams, domains and parameters of ops. Streams with equal rules share a line, and so do ops. Empty
/// if no number follows the count.
GLSORT_API std::string to_rules(const StreamProgram& program);

/// One line per kernel: its ops, elements and bytes. The sums follow, for the current, min and max count of the
/// program. The scratch memory comes last.
GLSORT_API std::string to_table(const StreamProgram& program);

/// One JSON object: algorithm, variant, backend, layout, n, key, payload, ops, kernels, bytes_read, bytes_written,
/// scratch_bytes. `kernels` is an object that maps the name of each kernel to its number of ops.
GLSORT_API std::string to_json(const StreamProgram& program);

/// A Graphviz digraph. Ops are boxes. An edge is a stream, from the op that wrote the stream to an op that reads the
/// stream.
GLSORT_API std::string to_dot(const StreamProgram& program);

}  // namespace glsort
