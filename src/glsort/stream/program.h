#pragma once

#include <glsort/limits.h>
#include <glsort/spec.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/layout.h>
#include <glsort/stream/substream.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// Stream programs: the list of operations that sorts n elements. Data-independent, known before
/// anything runs, a value that can be validated, costed, printed and compared.

namespace glsort {

/// A stream's place in `StreamProgram::streams`. The programs that a planner makes for other counts have the same
/// streams at the same places.
using StreamId = std::size_t;

/// Who a stream belongs to.
enum class StreamRole {
    input,     ///< The caller's; read only.
    output,    ///< The caller's; written only.
    in_place,  ///< The caller's; read, then overwritten.
    scratch,   ///< The library's.
};

/// Gaps in a buffer: behind every `run` elements (a power of two) there is room for `length` more; run 0: no gaps.
/// Where a kernel writes in turn at places that lie a power of two apart, some channels of a GPU's memory get all of
/// that, and the others nothing.
struct Gaps {
    std::uint32_t run = 0;
    std::uint32_t length = 0;

    std::uint64_t place(std::uint64_t element) const { return run == 0 ? element : element + element / run * length; }
    friend bool operator==(const Gaps&, const Gaps&) = default;
};

/// An ordered set of elements of one type in GPU memory.
struct Stream {
    std::string name;
    StreamRole role = StreamRole::scratch;
    Medium medium = Medium::buffer;
    std::uint32_t words = 1;                ///< 32-bit words of an element, 1 to 4.
    std::uint32_t elements_per_record = 1;  ///< What one kernel instance writes at once.
    Counted records = 0;                    ///< Records that are there; positions past them are
                                            ///< never drawn or read.
    StreamLayout layout;                    ///< In a texture.
    /// A buffer that is zero when it is allocated, for kernels that leave zero what they count in.
    bool begins_zero = false;
    Gaps gaps = {};  ///< Between the elements of a scratch buffer of the compute backend.

    /// Bytes of its elements.
    std::uint64_t bytes() const { return std::uint64_t{4} * words * elements_per_record * records; }
    /// Bytes of the buffer that holds the stream: with its gaps.
    std::uint64_t buffer_bytes() const;
    /// A record in a texture: one texel of `texel_words` 32-bit words in each of `layers` layers.
    /// An element of three words takes the place of four.
    std::uint32_t texel_words() const;
    std::uint32_t layers() const;
    /// Bytes of the texture that holds the stream: its bounding box.
    std::uint64_t texture_bytes() const;
};

/// A stream as an op uses it: the records it reads or writes, at the most.
struct StreamUse {
    StreamId stream = 0;
    Substream records;
};

/// Where an op belongs in its algorithm: recursion level j, stage k, phase i, step; -1 where the
/// algorithm knows no such thing. Printer, debug groups, timers and viewer share them.
struct Labels {
    int level = -1;
    int stage = -1;
    int phase = -1;
    int step = -1;
    friend bool operator==(const Labels&, const Labels&) = default;
};

/// What sets a block of an op's domain apart from the others.
struct BlockDetail {
    /// One value for each block parameter of the kernel.
    std::vector<std::uint32_t> parameters;
    /// Where the block belongs, where that is more than its op says.
    Labels labels;
};

/// A stream operation: one kernel over one substream.
struct Op {
    std::shared_ptr<const Kernel> kernel;
    std::shared_ptr<const Chunk> load;   ///< Replaces the kernel's `loaded_input` where set.
    std::shared_ptr<const Chunk> store;  ///< Replaces the kernel's `stored_output` where set.
    /// One use for each port of `input_ports`, in that order.
    std::vector<StreamUse> reads;
    /// One use for each port of `output_ports`, in that order.
    std::vector<StreamUse> writes;
    /// The records (or groups) that get an instance each.
    Substream domain;
    /// One value for each parameter of the kernel.
    std::vector<Counted> parameters;
    /// One for each block of the domain; none where blocks do not differ.
    std::vector<BlockDetail> blocks;
    Labels labels;
};

/// All the ports an op reads: the kernel's inputs (without the one that a load chunk replaces), then the load chunk's,
/// then the store chunk's.
std::vector<Port> input_ports(const Op& op);

/// All the ports an op writes: the kernel's outputs (without the one that a store chunk replaces), then the store
/// chunk's, which scatter where that output does.
std::vector<Port> output_ports(const Op& op);

/// Whether all that an op reads it has read before any of it writes.
bool reads_first(const Op& op);

/// A short name of an op for people: `copy, stage 3, step 1`.
std::string describe(const Op& op);

/// The streams that are the caller's, by what a sort calls them. Nothing where a program has no such stream.
struct CallerStreams {
    std::optional<StreamId> keys;    ///< A buffer.
    std::optional<StreamId> values;  ///< A buffer.
    std::optional<StreamId> input;   ///< A texture.
    std::optional<StreamId> output;  ///< A texture.
};

struct StreamProgram {
    std::string algorithm;  ///< As in `Algorithm::name` (planner.h).
    std::string variant;    ///< As in `Algorithm::Variant::name`.
    Backend backend = Backend::cpu;
    StreamLayout layout;  ///< Of the streams that ops are drawn to.
    std::uint32_t n = 0;
    /// The counts that it is a program for, if those of its numbers that follow the count do so (`set_count`). Kernels,
    /// storage and barriers are the same for all of them. Nothing: `n` alone.
    std::optional<CountRange> counts;
    KeyType key = KeyType::u32;
    /// What orders the keys instead of `key`, where it is set.
    std::shared_ptr<const Comparison> comparison;
    Payload payload;
    Direction direction = Direction::ascending;
    std::vector<Stream> streams;
    CallerStreams caller;
    std::vector<Op> ops;

    /// The stream named `name`. Throws `Error` where there is none.
    StreamId stream(std::string_view name) const;
};

/// Makes a program that of another count, which `counts` contains. Cost: linear in the ops, some nanoseconds each;
/// nothing is planned or allocated.
void set_count(StreamProgram& program, std::uint32_t count);

/// A stream with as many records as it has for the greatest count of its program: what its storage must hold.
Stream largest_stream(const StreamProgram& program, StreamId id);

}  // namespace glsort
