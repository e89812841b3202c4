#pragma once

#include <glsort/error.h>
#include <glsort/limits.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Kernels: functions that an op runs once for each record of a substream, or once for each group of invocations. See
/// Greß and Zachmann 2006, section 3.1 and appendix A.
///
/// A kernel has two bodies. The `cpu` body, in C++, is the specification. The GLSL body, a file in shaders/ with the
/// name of the kernel, is for the GPU. All three backends write identical bits to every `specified` output, up to the
/// order of some elements (`DigitShape::leaves_order_open`).

namespace glsort {

struct Labels;
struct Op;

/// What the elements of a port mean.
enum class PortRole {
    /// Elements of the sort: codes of keys, with an index or a value. A load chunk may replace the first input of this
    /// role. A store chunk may replace the first output of this role.
    elements,
    keys,     ///< The caller's keys. In a texture the values may be there, too.
    values,   ///< The caller's values.
    other,    ///< None of the other roles.
    splits,   ///< In a merge: how many elements of each run come before each window.
    sources,  ///< In a merge: for each place of the result, the run that the element comes from.
    counts,   ///< How often each value of a digit occurs, in each tile.
    totals,   ///< How often each value of each digit occurs, in all elements.
    sums,     ///< The sums that groups accumulate into `totals`.
    offsets,  ///< For each tile and each value of a digit: where the elements go.
    status,   ///< Results that groups publish for later groups, which run at the same time (look-back).
    samples,  ///< Some of the elements.
    places,   ///< Where each bucket begins in each sorted tile.
    moves,    ///< As `places`. Also where the elements of each tile's bucket go.
    starts,   ///< Where each bucket begins.
    nodes,    ///< In trees: elements with pointers to children.
    paths,    ///< In trees: pointers to the nodes to visit next.
};

/// A number that a kernel depends on: a constant of the kernel, or a parameter of each op.
class GLSORT_API KernelNumber {
  public:
    constexpr KernelNumber(std::uint32_t number) : number_(number) {}
    /// The parameter at index `place` of `Kernel::parameters`.
    static constexpr KernelNumber parameter(std::size_t place) {
        KernelNumber number(0);
        number.parameter_ = place;
        return number;
    }

    /// The value of the number for `op`.
    std::uint32_t of(const Op& op) const;

  private:
    std::uint32_t number_;
    std::optional<std::size_t> parameter_;
};

/// Sorted runs, one after the other. Each run begins at a multiple of `length`. The last run may be shorter.
struct SortedRuns {
    KernelNumber length;       ///< Elements of a run.
    std::uint32_t merged = 1;  ///< How many neighbouring runs become one.
    bool in_turns = false;     ///< Whether runs ascend and descend alternately.
};

/// The bits of a key's code by which elements are counted or moved.
struct DigitShape {
    KernelNumber first_bit;
    KernelNumber bits;
    /// Bits that one round handles, for an op that sorts in several rounds. 0: one round handles all bits.
    std::uint32_t round_bits = 0;
    /// Whether elements may come out in any order if their codes agree in all bits below the end of the digit. Backends
    /// then write identical bits up to the order of such elements.
    bool leaves_order_open = false;
};

/// How samples divide segments of the elements into buckets. A segment consists of tiles, and samples come from tiles.
struct Division {
    std::uint32_t tile = 0;        ///< Elements of a tile.
    std::uint32_t samples = 0;     ///< Samples per tile.
    bool random = false;           ///< Whether samples are random; otherwise samples are equidistant.
    std::uint32_t of_buckets = 0;  ///< Buckets of the previous level per segment; 0: one segment holds all elements.
    std::uint32_t buckets = 0;     ///< Buckets per segment.
    KernelNumber segments = 1;     ///< Segments of the elements.
    KernelNumber tiles = 1;        ///< Max tiles per segment.
};

/// The steps of a sorting network that an op performs. The steps do not depend on the values of elements.
class GLSORT_API NetworkShape {
  public:
    /// The partner of an element in one step.
    struct Comparator {
        std::uint32_t partner = 0;  ///< The number of the partner element.
        bool smaller = true;        ///< Whether this element becomes the smaller of the two.
    };

    virtual ~NetworkShape() = default;

    /// The number of steps of the op.
    virtual std::uint32_t steps(const Op& op) const = 0;
    /// The labels of a step: the place of the step in the network.
    virtual Labels labels(const Op& op, std::uint32_t step) const = 0;
    /// The comparator of an element in a step. Nothing if the step leaves the element alone.
    virtual std::optional<Comparator> comparator(const Op& op, std::uint32_t step, std::uint32_t element) const = 0;
};

/// A description of a kernel, for code that explains, draws or checks a program. Backends use only `tile`, to divide an
/// op (`SorterOptions::max_elements_per_draw`). Members that make no sense for a kernel are empty.
struct KernelShape {
    std::optional<KernelNumber> count;  ///< Elements of the sort.
    std::optional<KernelNumber> tile;   ///< Neighbouring elements that one group handles.
    std::optional<SortedRuns> reads;    ///< The runs that the kernel expects.
    std::optional<SortedRuns> makes;    ///< The runs that the kernel leaves.
    /// Neighbouring places of the result that are computed together.
    std::optional<KernelNumber> window;
    std::optional<DigitShape> digit;
    std::optional<Division> division;
    std::shared_ptr<const NetworkShape> network;
    bool copies = false;  ///< Whether the kernel only copies elements, in their order.
};

/// An element of a stream. A stream with fewer than four words per element leaves the other words zero.
using Element = std::array<std::uint32_t, 4>;

/// How an instance reaches the elements of a stream.
enum class Access {
    linear,   ///< Reads or writes one record: the record with the number of the instance.
    gather,   ///< Reads any element.
    scatter,  ///< Writes any element; compute and cpu only.
    shared,   ///< Reads and writes any element, by atomics; compute and cpu only.
};

/// Stands for `Port::elements` if the number of elements depends on data or parameters.
inline constexpr std::uint32_t any_elements = 0xffffffffu;

/// A stream that a kernel reads or writes. The GLSL body calls functions named after the port: `glsort_NAME_read`,
/// `glsort_NAME_gather`, `glsort_NAME_write` and others (shaders/README.md).
struct Port {
    std::string name;
    Access access = Access::linear;
    std::uint32_t words = 1;  ///< 32-bit words that the kernel uses of each element, 1 to 4.
    /// Max elements that one instance reads or writes. `cost` computes with this number.
    std::uint32_t elements = 1;
    /// Outputs: whether all backends write identical bits. False for scratch data that may differ from run to run, such
    /// as the status of look-back.
    bool specified = true;
    /// Outputs with access `shared`: whether the body does nothing but add. Ops that only add to a record need no
    /// barrier between them.
    bool adds_only = false;
    /// Outputs with access `shared`: whether a group reads only what the group itself has written in this op. Then no
    /// earlier op needs to have written the records.
    bool writes_first = false;
    /// Inputs with access `gather` and one word: the body also reads four neighbouring elements in one fetch, by
    /// `glsort_NAME_gather4`. Elements past the end of the stream are undefined. A caller's buffer has a multiple of 4
    /// elements.
    bool by_fours = false;
    /// Inputs with access `gather`: a name that several ports share, one port for each block of the domain. These ports
    /// follow each other in the order of the blocks. In GLSL the ports share the function `glsort_PER_BLOCK_gather`,
    /// which reads the port of the current block. Empty: one port serves all blocks. Compute and cpu only.
    std::string per_block = {};
    PortRole role = PortRole::elements;

    friend bool operator==(const Port&, const Port&) = default;
};

/// An integer that an op passes to its kernel. In GLSL: `glsort_op_NAME`.
struct Parameter {
    enum class Kind {
        number,  ///< A plain unsigned integer.
        /// A record number, or a mask over record numbers. The fragment backend passes the number as a texel
        /// (Greß and Zachmann 2006, section 6.2.2).
        index,
    };
    std::string name;
    Kind kind = Kind::number;

    friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// When an op finishes all its reads before its first write. Only such an op may overwrite its inputs.
enum class ReadsFirst {
    never,      ///< Not guaranteed.
    one_group,  ///< Guaranteed if the op has one group.
    always,     ///< Guaranteed for every op.
};

/// What a C++ body works on (cpu_invocation.h, which is private).
class CpuInvocation;

/// A C++ body.
#if !defined(GLSORT_WITHOUT_CPU)
template <class Signature>
using HostFunction = std::function<Signature>;
#else
/// A build without the cpu backend drops all bodies. Only their types are left.
template <class Signature>
class HostFunction;
template <class Result, class... Arguments>
class GLSORT_API HostFunction<Result(Arguments...)> {
  public:
    HostFunction() = default;
    template <class Function>
    HostFunction(const Function&) {}
    explicit operator bool() const { return false; }
    Result operator()(Arguments...) const;
};
#endif

/// The replaceable load or store function of a kernel. The first kernel of a program reads its elements through a load
/// chunk. The last kernel writes its elements through a store chunk. Chunks convert keys to elements and back.
///
/// The GLSL of a load chunk defines `T glsort_load(uint element)`. The GLSL of a store chunk defines
/// `void glsort_store(T element)`. T is the element type of the port that the chunk replaces.
struct ChunkCode {
    std::string name;
    std::vector<Port> inputs;
    std::vector<Port> outputs;
    /// The GLSL text. Empty: the file of shaders/ with the chunk's name, which the library embeds.
    std::string source;
    /// Preprocessor definitions for the GLSL: name and value. Names begin with `GLSORT_`.
    std::vector<std::pair<std::string, std::string>> defines;
    /// Store chunks: whether the GLSL can also store key and value separately, by `glsort_store_key` and
    /// `glsort_store_value`.
    bool stores_apart = false;

    friend bool operator==(const ChunkCode&, const ChunkCode&) = default;
};

/// A chunk with its C++ specification.
struct Chunk : ChunkCode {
    /// Load chunks: returns element `index` for the kernel to read.
    HostFunction<Element(CpuInvocation&, std::uint32_t index)> load;
    /// Store chunks: takes element `index`, which the kernel writes. Writes linear outputs of the chunk at `index`.
    HostFunction<void(CpuInvocation&, std::uint32_t index, const Element&)> store;
};

/// A number as a GLSL literal, for `defines`: `16u`.
inline std::string literal(std::uint32_t value) {
    return std::to_string(value) + "u";
}

/// GLSL of the caller's that a kernel calls, such as a comparison.
struct CallersGlsl {
    std::string kind;          ///< What the text is: `comparison`.
    std::string name;          ///< For compiler messages.
    std::string text;          ///< Empty: the kernel calls no GLSL of the caller's.
    std::string declarations;  ///< Functions of the library that the text may call, one per line, without bodies.
    std::string function;      ///< What the text must define: `bool comes_before(uint a, uint b)`.
    /// GLSL of a function `bool glsort_trial()` that calls the caller's function. For a test of the text by itself.
    std::string trial;

    friend bool operator==(const CallersGlsl&, const CallersGlsl&) = default;
};

/// All that determines the shader of a kernel, as plain values. Kernels with equal values share one shader.
struct KernelCode {
    std::string name;  ///< Also the stem of the GLSL file if `body` is empty.
    std::string body;  ///< The stem of a GLSL file that several kernels share; empty: the name.
    /// GLSL text. Empty: the file of shaders/ alone. If `body` is set, the text precedes the shared file.
    std::string source;
    std::vector<Port> inputs;
    std::vector<Port> outputs;
    std::vector<Parameter> parameters;
    /// Integers with a value for each block of an op's domain. In GLSL: `glsort_op_NAME`.
    std::vector<Parameter> block_parameters;
    /// Min number of blocks that a shader is composed for, so that ops with fewer blocks share one shader. For ops with
    /// several blocks, or with block parameters.
    std::uint32_t usual_blocks = 1;
    /// The caller's GLSL, which precedes all GLSL of the library except its `declarations`.
    CallersGlsl prelude;
    /// Preprocessor definitions that select this variant of the body: name and value. Names begin with `GLSORT_`.
    std::vector<std::pair<std::string, std::string>> defines;
    /// Elements that an instance writes to each linear output: the elements of one record.
    std::uint32_t elements_per_instance = 1;
    /// Invocations that share memory and barriers. If 1, instances are independent, and the domain of an op consists of
    /// records. If above 1 (compute and cpu only), the domain consists of groups, and the cpu body runs once per group.
    std::uint32_t group_size = 1;
    /// 32-bit words of shared memory per group.
    std::uint32_t shared_words = 0;
    /// The GLSL extension for a body with subgroup operations (shaders/lib/subgroup.glsl).
    Subgroups subgroups = Subgroups::none;

    friend bool operator==(const KernelCode&, const KernelCode&) = default;
};

/// A kernel with its C++ specification.
struct GLSORT_API Kernel : KernelCode {
    /// When an op of the kernel may overwrite its inputs, the caller's streams included.
    ReadsFirst reads_first = ReadsFirst::never;
    /// Whether the backend runs the kernel as a transfer, such as a pixel unpack, and not as a shader.
    bool transfer = false;
    /// Whether the first element comes before the second. Empty: compares the words of elements, the first word first.
    HostFunction<bool(CpuInvocation&, const Element&, const Element&)> order;
    /// Describes the kernel to tools that print, draw or check programs.
    KernelShape shape;
    /// The specification: what one instance, or one group, does.
    HostFunction<void(CpuInvocation&)> cpu;

    /// Whether the fragment backend can run the kernel: it has no groups, no scatter and no atomics.
    bool portable() const;
};

/// A kernel that several ops may run.
using KernelPtr = std::shared_ptr<const Kernel>;

/// The input by which a kernel reads the elements to sort, and the output by which the kernel writes them. Each is the
/// first port with `PortRole::elements`, as an index. Returns the number of inputs or outputs if there is none.
GLSORT_API std::size_t loaded_input(const Kernel& kernel);
GLSORT_API std::size_t stored_output(const Kernel& kernel);

/// A record of what the cpu body of an op did, instance by instance. For tools that show a program at work. Memory:
/// about 24 bytes for each touch, 36 for each comparison, and 24 for each other entry.
struct OpTrace {
    /// One read or write of a stream's element. An atomic addition counts as a write.
    struct Touch {
        std::uint32_t instance = 0;  ///< The number of the record or group.
        std::size_t use = 0;         ///< Index into `Op::reads` or `Op::writes`.
        bool write = false;
        /// Whether `use` is an index into `Op::writes`. True for writes, and for reads of shared outputs.
        bool of_output = false;
        std::uint32_t element = 0;  ///< Index of the element in the stream.
    };
    /// Two compared elements. The kernel asked whether `a` comes before `b`.
    struct Comparison {
        std::uint32_t instance = 0;  ///< As in `Touch`.
        Element a{};                 ///< The kernel's element, which may differ from the caller's key.
        Element b{};
    };
    /// The result of a subgroup ballot: one bit of the codes of neighbouring elements.
    struct Ballot {
        std::uint32_t instance = 0;
        std::uint32_t element = 0;  ///< Index of the first of these elements in the order that the op or round reads.
        std::uint32_t bit = 0;      ///< The bit of the code.
        std::uint64_t votes = 0;    ///< Bit i is the vote of `element + i`.
    };
    /// The rank of an element: how many earlier elements of the instance have an equal digit value.
    struct Rank {
        std::uint32_t instance = 0;
        std::uint32_t element = 0;  ///< As in `Ballot`.
        std::uint32_t shift = 0;    ///< The lowest bit of the digit.
        std::uint32_t value = 0;    ///< The digit value; 0 if the rank counts all elements.
        std::uint32_t rank = 0;
    };
    /// What a group learned from an earlier group.
    struct LookBack {
        std::uint32_t instance = 0;
        std::uint32_t before = 0;  ///< The number of the earlier group.
        std::uint32_t value = 0;   ///< The digit value.
        std::uint32_t goal = 0;    ///< Destination of the group's first element with that value.
    };
    // Each list is in chronological order.
    std::vector<Touch> touches;
    std::vector<Comparison> comparisons;
    std::vector<Ballot> ballots;
    std::vector<Rank> ranks;
    std::vector<LookBack> look_backs;
};

}  // namespace glsort
