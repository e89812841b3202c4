#pragma once

#include <glsort/base/browser.h>
#include <glsort/gl/program.h>
#include <glsort/stream/program.h>

#include <string>
#include <vector>

namespace glsort {

/// The shader stage that an op runs in.
enum class ShaderStage {
    fragment,  ///< Instances are fragments; outputs are colour attachments.
    vertex,    ///< Instances are vertices; outputs are captured by transform feedback.
    compute,   ///< Instances are invocations, or groups of them.
};

/// Whether the stage is `compute`. Browsers have no compute shaders, and their module has no code for these.
constexpr bool is_compute(ShaderStage stage) {
    return !in_browser && stage == ShaderStage::compute;
}

/// How a shader accesses the stream of a port.
struct PortBinding {
    Port port;
    Medium medium = Medium::texture;
    std::uint32_t words = 1;  ///< Words of an element of the stream. The port may use fewer.
    std::uint32_t elements_per_record = 1;
    /// Whether the stream is external and has its own position or shape: a buffer has a base element, a texture has a
    /// width. An op gets both when it runs.
    bool external = false;
    StreamLayout layout;   ///< Of a texture.
    Padding padding = {};  ///< Padding of a buffer.
    bool floats = false;   ///< Whether the texels of a texture are floats.
    /// If an input and an output share one storage block: the name of the input, in both bindings. Otherwise empty.
    std::string shared_block;

    friend bool operator==(const PortBinding&, const PortBinding&) = default;
};

/// Everything that a shader is composed from.
struct ShaderRequest {
    const Op* op = nullptr;
    ShaderStage stage = ShaderStage::fragment;
    bool es = false;
    /// Compute shaders: whether to avoid conditions that depend only on uniforms, because the driver gets these wrong
    /// (gl/capabilities.h, `mistakes_uniforms`).
    bool hide_uniforms = false;
    /// Fragment and vertex shaders: whether to store to arrays at constant indices only, because the driver gets other
    /// indices wrong (gl/capabilities.h, `mistakes_indices`).
    bool index_by_constants = false;
    /// Whether the GPU alone knows the count. Compute shaders get the integers of the op from a uniform buffer that the
    /// GPU has written. Vertex stages evaluate the integers (counted_text.h).
    bool gpu_count = false;
    /// Compute shaders: whether the shader reads the count and evaluates the integers itself. With `gpu_count`.
    bool reads_count = false;
    std::uint32_t capacity = 0;        ///< With `gpu_count`: the largest count.
    std::uint32_t viewport_size = 0;   ///< With `gpu_count`: the largest side of a viewport.
    StreamLayout layout;               ///< The layout that the shader draws in.
    std::vector<PortBinding> inputs;   ///< One for each of `input_ports(*op)`.
    std::vector<PortBinding> outputs;  ///< One for each of `output_ports(*op)`.
};

/// The layout of an op's integers in the uniform array `glsort_op`, in elements of four words:
///   - parameters, one element each;
///   - the rows of the layout that a fragment or vertex shader draws in, unless it is Z-order: (log2 of the width,
///     width - 1, -, -);
///   - ports with a position or a layout of their own (`has_element`), inputs before outputs, one element each. An
///     external port has (base element, width, -, -). Any other port has the rows of its layout;
///   - compute only: (instances, blocks, first group of this dispatch, -);
///   - the blocks of the domain, `block_size` elements each, in compute shaders and if the kernel has block parameters.
///     The words of a block: first record and first instance (compute only), then the block parameters. A block
///     parameter is one word (compute) or a texel (fragment);
///   - the rules of integers that follow a count on the GPU, if the shader or its vertex stage evaluates these
///     (counted_text.h).
struct OpUniforms {
    std::size_t rows = 0;        ///< The rows of the shader's layout.
    std::size_t ports = 0;       ///< The first of the ports.
    std::size_t domain = 0;      ///< The number of instances and blocks.
    std::size_t blocks = 0;      ///< The first of the blocks.
    std::size_t block_size = 0;  ///< Elements of four words that a block takes.
    std::size_t rules = 0;       ///< The first of the rules (counted_text.h).
    std::size_t size = 0;
};
OpUniforms op_uniforms(const ShaderRequest& request);
/// `OpUniforms::block_size` for blocks with `parameters` parameters.
std::size_t block_elements(ShaderStage stage, std::size_t parameters);
/// The storage blocks that the ports of a compute shader take.
std::size_t storage_blocks(const ShaderRequest& request);
/// Whether a port has an element of `glsort_op`.
bool has_element(const ShaderRequest& request, const PortBinding& port);
/// Whether the shader reads a buffer by two samplers: one for single words, and one for four words at once. The
/// samplers for four words follow those of all inputs.
bool has_fours(const ShaderRequest& request, const PortBinding& input);
/// Whether `glsort_op` has the rows of the shader's layout.
bool has_rows(const ShaderRequest& request);

/// Invocations per group of a kernel without a group size.
inline constexpr std::uint32_t default_group_size = 128;
/// The number of blocks that a shader is composed for. If the op has one block and no block parameters, the number is
/// 1. Otherwise the number is a power of two, at least `Kernel::usual_blocks`.
std::size_t block_capacity(const Op& op);

/// A shader and the names it uses.
struct ComposedShader {
    gl::ShaderSource source;
    std::vector<std::string> samplers;  ///< Uniforms, by texture unit.
    gl::Varyings varyings;              ///< Captured outputs of a vertex shader, in order.
};

/// Composes the shader of an op (shaders/README.md) in some tens of microseconds. Throws `Error` if a file is missing.
/// Throws `Error` if a file and the kernel or its chunks disagree on ports, parameters or macros. Storage blocks take
/// bindings 0, 1, ... in the order of the buffer ports, inputs first. A block with the count follows (`reads_count`).
/// Images have bindings in this order, too.
ComposedShader compose_shader(const ShaderRequest& request);

/// The vertex shader that belongs to a fragment shader. The vertex shader passes on the corners and the block
/// parameters.
gl::ShaderSource corner_vertex_shader(const ShaderRequest& request);
/// The fragment shader that belongs to every vertex shader. Its main function is empty.
gl::ShaderSource empty_fragment_shader(bool es);
/// The program of a composed shader. A graphics program gets its other stage.
gl::ProgramSource program_source(const ShaderRequest& request, const ComposedShader& shader);

}  // namespace glsort
