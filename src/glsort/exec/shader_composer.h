#pragma once

#include <glsort/gl/program.h>
#include <glsort/stream/program.h>

#include <string>
#include <vector>

namespace glsort {

/// Which shader an op becomes.
enum class ShaderStage {
    fragment,  ///< Instances are fragments; outputs are colour attachments.
    vertex,    ///< Instances are vertices; outputs are captured by transform feedback.
    compute,   ///< Instances are invocations, or groups of them.
};

/// How a shader reaches the stream of a port.
struct PortBinding {
    Port port;
    Medium medium = Medium::texture;
    std::uint32_t words = 1;  ///< Of an element of the stream; the port may use fewer.
    std::uint32_t elements_per_record = 1;
    /// External, and in a place or shape of its own: a buffer begins at a base element, a texture
    /// has a width, both given when the op runs.
    bool external = false;
    StreamLayout layout;  ///< Of a texture; the width counts where not external.
    Gaps gaps = {};       ///< Of a buffer.
    /// Outputs: the input whose storage block this is as well. Inputs: there is such an output.
    std::string shared_block;

    friend bool operator==(const PortBinding&, const PortBinding&) = default;
};

/// What a shader is composed for.
struct ShaderRequest {
    const Op* op = nullptr;
    ShaderStage stage = ShaderStage::fragment;
    bool es = false;
    /// Compute shaders: no condition is of uniforms alone, for a driver that gets such conditions wrong
    /// (gl/capabilities.h, `mistakes_uniforms`).
    bool hide_uniforms = false;
    StreamLayout layout;               ///< Of the program.
    std::vector<PortBinding> inputs;   ///< One for each of `input_ports(*op)`.
    std::vector<PortBinding> outputs;  ///< One for each of `output_ports(*op)`.
};

/// Where an op's integers lie in the uniform array `glsort_op`, in elements of four words:
///   parameters, one each;
///   external ports, inputs before outputs, one each: (base element, width, -, -);
///   compute only: (instances, blocks, -, -);
///   the blocks of the domain, `block_size` each, in compute shaders and where the kernel has block
///   parameters. The words of a block: first record and first instance (compute only), then the
///   block parameters, a word each (compute) or a texel (fragment).
struct OpUniforms {
    std::size_t external = 0;    ///< The first of the external ports.
    std::size_t domain = 0;      ///< The number of instances and blocks.
    std::size_t blocks = 0;      ///< The first of the blocks.
    std::size_t block_size = 0;  ///< Elements of four words that a block takes.
    std::size_t size = 0;
};
OpUniforms op_uniforms(const ShaderRequest& request);

/// Invocations of a group where the kernel asks for none.
inline constexpr std::uint32_t default_group_size = 128;
/// Blocks a shader is composed for, where it knows of blocks: one where any op of the kernel has but
/// one; else a power of two, `Kernel::usual_blocks` at the least.
std::size_t block_capacity(const Op& op);

/// A shader and the names it uses.
struct ComposedShader {
    gl::ShaderSource source;
    std::vector<std::string> samplers;  ///< Uniforms, by texture unit.
    std::vector<std::string> varyings;  ///< Captured outputs of a vertex shader, in order.
};

/// Composes the shader of an op (shaders/README.md), in some tens of microseconds. Throws `Error` where a file and the
/// kernel or its chunks disagree on ports, parameters or macros, or a file is missing. Storage blocks take the bindings
/// 0, 1, ... in the order of the buffer ports, inputs first; images likewise.
ComposedShader compose_shader(const ShaderRequest& request);

/// The vertex shader under a fragment shader: corners as they are, and the parameters of the block
/// they belong to.
gl::ShaderSource corner_vertex_shader(const ShaderRequest& request);
/// The fragment shader behind every vertex shader: nothing.
gl::ShaderSource empty_fragment_shader(bool es);

}  // namespace glsort
