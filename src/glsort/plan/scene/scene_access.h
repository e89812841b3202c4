#pragma once

#include <glsort/spec.h>
#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>
#include <string>
#include <vector>

/// How a kernel reads the inputs and values of a scene's source, or of a result: the functions `NAME_at` and `NAME` in
/// GLSL and in C++. A port gives the words of the caller's buffer. The functions find the components in the words.

namespace glsort::scene {

/// The inputs and values that the caller's GLSL may read, and the ports and parameters of the kernel that have them.
struct CallersData {
    std::vector<SceneInput> inputs;
    std::vector<std::string> values;
    std::size_t first_port = 0;       ///< The port of input 0, among the kernel's inputs.
    std::size_t first_parameter = 0;  ///< The first parameter of value 0. Four per value.
    /// Blocks of an op's domain, each with its own inputs and values. Input i of block b is port `first_port` +
    /// `blocks` * i + b, and values are parameters of the block. 0: inputs and values are those of the op.
    std::size_t blocks = 0;
};

/// Throws `Error` if an input cannot be read, or has the name of another one. `capacity`: elements of inputs without
/// `elements`.
void check_inputs(const std::vector<SceneInput>& inputs, std::uint32_t capacity);
/// Throws `Error` if there are too many values, or wrong or equal names.
void check_values(const std::vector<std::string>& values);

/// Words of the caller's buffer that a call needs for `elements` elements of an input, including the words before the
/// first element. 0 if there are no elements.
std::uint64_t words_for(const SceneInput& input, std::uint32_t elements);

/// Whether the input lies in a texture.
bool in_texture(const SceneInput& input);
/// Elements of the input. `capacity` is that of the source.
std::uint32_t elements_of(const SceneInput& input, std::uint32_t capacity);
/// The caller's stream of an input: words of a buffer, or texels of a texture.
Stream input_stream(std::string name, const SceneInput& input, std::uint32_t capacity);

/// Appends the ports of the inputs and the parameters of the values to those of the kernel. Returns where they are.
/// `blocks`: as in `CallersData`.
CallersData declare_data(Kernel& kernel, const std::vector<SceneInput>& inputs, const std::vector<std::string>& values,
                         std::size_t blocks = 0);
/// Appends the input `port` for each block. 0 and 1: the port alone.
void declare_port_of_blocks(Kernel& kernel, const Port& port, std::size_t blocks);

/// `vec4 NAME_at(uint element);` for all inputs, `vec4 NAME();` for all values.
std::string declarations(const CallersData& data);
/// The functions that `declarations` declares.
std::string definitions(const CallersData& data);

/// The caller's data in the memory of a cpu invocation.
class CpuElements final : public SceneElements {
  public:
    CpuElements(CpuInvocation& k, const CallersData& data) : k_(k), data_(data) {}
    std::array<float, 4> floats(std::size_t input, std::uint32_t element) const override;
    std::array<std::uint32_t, 4> uints(std::size_t input, std::uint32_t element) const override;
    std::array<float, 4> value(std::size_t number) const override;

  private:
    std::uint32_t component(std::size_t input, std::uint32_t element, std::uint32_t number) const;

    CpuInvocation& k_;
    const CallersData& data_;
};

/// The float with the bits of an f16. Exact.
float float_of_half(std::uint32_t half);

}  // namespace glsort::scene
