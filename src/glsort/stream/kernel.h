#pragma once

#include <glsort/limits.h>
#include <glsort/stream/kernel_shape.h>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Kernels: functions that an operation runs once for every record of a substream, or once for
/// every group of invocations (GPU-ABiSort, section 3.1 and appendix A).
///
/// A kernel is declared here, specified by its `cpu` body, and implemented for the GPU by the GLSL
/// body of the same name in shaders/. All three backends give the same bits in every `specified`
/// output.

namespace glsort {

/// An element of a stream: as many 32-bit words as its stream has, the others zero.
using Element = std::array<std::uint32_t, 4>;

/// How an instance reaches the elements of a stream.
enum class Access {
    linear,   ///< Reads or writes the record that has the number of the instance.
    gather,   ///< Reads any element.
    scatter,  ///< Writes any element; compute and cpu only.
    shared,   ///< Reads and writes any element, by atomics; compute and cpu only.
};

/// Elements of a port that are as many as data or parameters say.
inline constexpr std::uint32_t any_elements = 0xffffffffu;

/// A stream parameter of a kernel. The GLSL body reaches it by the functions named after it:
/// `glsort_NAME_read`, `glsort_NAME_gather`, `glsort_NAME_write` and so on (shaders/README.md).
struct Port {
    std::string name;
    Access access = Access::linear;
    std::uint32_t words = 1;  ///< 32-bit words of an element that the kernel uses, 1 to 4.
    /// Elements that one instance reads or writes at the most: what the plan's cost counts.
    std::uint32_t elements = 1;
    /// Outputs: compared with cpu after the op. False for scratch whose bits may differ from run to
    /// run (look-back state, say).
    bool specified = true;
    /// A gathered input of one word, whose body also reads four neighbouring elements at once, as a texel may hold
    /// them: `glsort_NAME_gather4`. Those past the stream's end may be anything.
    bool by_fours = false;
    PortRole role = PortRole::elements;

    friend bool operator==(const Port&, const Port&) = default;
};

/// An integer that an op hands to its kernel, `glsort_op_NAME` in GLSL.
struct Parameter {
    enum class Kind {
        number,  ///< A plain unsigned integer.
        index,   ///< A mask or index over record numbers, carried as a texel by the fragment
                 ///< backend (GPU-ABiSort, section 6.2.2).
    };
    std::string name;
    Kind kind = Kind::number;

    friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// When all that an op reads it has read before any of it writes.
enum class ReadsFirst {
    never,      ///< Not for certain.
    one_group,  ///< Where an op has one group.
    always,
};

class CpuInvocation;

/// The load or store function of a kernel, where that is replaceable: the first kernel of a program reads its elements
/// through a load chunk, the last one writes its elements through a store chunk. Key conversion lives there. Its GLSL,
/// a file of shaders/ of that name, defines `T glsort_load(uint element)` or `void glsort_store(T element)`, T as the
/// replaced port has it.
struct ChunkCode {
    std::string name;
    std::vector<Port> inputs;
    std::vector<Port> outputs;
    /// GLSL text; empty: the embedded file of that name.
    std::string source;
    /// Preprocessor definitions the GLSL needs, name and value. Names begin with `GLSORT_`.
    std::vector<std::pair<std::string, std::string>> defines;
    /// Of a store chunk: its GLSL also stores an element in two halves, by `glsort_store_key` and `glsort_store_value`.
    bool stores_apart = false;

    friend bool operator==(const ChunkCode&, const ChunkCode&) = default;
};

/// The same with its specification.
struct Chunk : ChunkCode {
    /// Returns the element `index` that the kernel reads; load chunks only.
    std::function<Element(CpuInvocation&, std::uint32_t index)> load;
    /// Takes element `index` of what the kernel writes; store chunks only. Its linear outputs are
    /// written at that element.
    std::function<void(CpuInvocation&, std::uint32_t index, const Element&)> store;
};

/// A number as GLSL writes it, for definitions.
inline std::string literal(std::uint32_t value) {
    return std::to_string(value) + "u";
}

/// What the shader of a kernel is made of: plain values. Kernels that are alike in them have one shader.
struct KernelCode {
    std::string name;  ///< Also the stem of its GLSL file, unless `body` is.
    std::string body;  ///< The stem of a GLSL file that several kernels have in common; empty: the name.
    /// GLSL text; empty: the embedded file. With a `body` in common: the kernel's own part, in front of that.
    std::string source;
    std::vector<Port> inputs;
    std::vector<Port> outputs;
    std::vector<Parameter> parameters;
    /// Integers of which every block of an op's domain has its own, `glsort_op_NAME` in GLSL too.
    std::vector<Parameter> block_parameters;
    /// Blocks that a shader is composed for at the least, where an op has several or they have parameters: so ops of
    /// few and of more blocks share a program.
    std::uint32_t usual_blocks = 1;
    /// GLSL of the caller's, with a name for compilers' messages. It comes before all of ours.
    std::pair<std::string, std::string> prelude;
    /// Preprocessor definitions that make this variant of the body, name and value. Names begin with `GLSORT_`.
    std::vector<std::pair<std::string, std::string>> defines;
    /// Elements an instance writes to each linear output: those of one record.
    std::uint32_t elements_per_instance = 1;
    /// Invocations that share memory and barriers. 1: instances are independent, an op's domain
    /// counts them. Above 1 (compute and cpu only): an op's domain counts groups, and the cpu body
    /// is called once a group.
    std::uint32_t group_size = 1;
    /// 32-bit words of memory that a group shares.
    std::uint32_t shared_words = 0;
    /// By what the body reaches its subgroup, where it does (shaders/lib/subgroup.glsl).
    Subgroups subgroups = Subgroups::none;

    friend bool operator==(const KernelCode&, const KernelCode&) = default;
};

struct Kernel : KernelCode {
    /// Then it may overwrite what it reads, the caller's streams too.
    ReadsFirst reads_first = ReadsFirst::never;
    /// Moved by a transfer of the backend (pixel unpack, say) instead of a shader.
    bool transfer = false;
    /// The order of elements, where it is not that of their words (CpuInvocation::precedes).
    std::function<bool(CpuInvocation&, const Element&, const Element&)> order;
    /// For those who look at programs.
    KernelShape shape;
    /// The specification: what one instance, or one group, does.
    std::function<void(CpuInvocation&)> cpu;

    /// Whether the fragment backend can run it: no groups, no scatter, no atomics.
    bool portable() const;
};

/// The input by which a kernel reads the elements of a sort, and the output by which it writes them: the first ones of
/// this role. Their number where there is none.
std::size_t loaded_input(const Kernel& kernel);
std::size_t stored_output(const Kernel& kernel);

}  // namespace glsort
