#pragma once

#include <glsort/spec.h>
#include <glsort/stream/kernel.h>

#include <cstdint>
#include <string>

/// How a kernel reads the inputs of a scene's source: the functions `NAME_at` in GLSL and in C++. A port gives the
/// words of the caller's buffer. The functions find the components in the words.

namespace glsort::scene {

/// Throws `Error` if the input cannot be read: its name, components, stride or offset.
void check_input(const SceneInput& input);

/// Throws `Error` unless this is a name that GLSL and the library allow.
void check_name(const std::string& name);

/// Words of the caller's buffer that hold the elements of the input, and what lies before them. `capacity` is that of
/// the source.
std::uint64_t words_of(const SceneInput& input, std::uint32_t capacity);

/// The port of input `number` of a source.
Port input_port(std::size_t number);

/// `vec4 NAME_at(uint element);` for all inputs of the source, `vec4 NAME();` for all values.
std::string declarations(const SceneSource& source);
/// The functions that `declarations` declares.
std::string definitions(const SceneSource& source);

/// The inputs of a source in the memory of a cpu invocation.
class CpuElements final : public SceneElements {
  public:
    /// Input i of the source is input port i of the kernel.
    CpuElements(CpuInvocation& k, const SceneSource& source) : k_(k), source_(source) {}
    std::array<float, 4> floats(std::size_t input, std::uint32_t element) const override;
    std::array<std::uint32_t, 4> uints(std::size_t input, std::uint32_t element) const override;
    std::array<float, 4> value(std::size_t number) const override;

  private:
    std::uint32_t component(std::size_t input, std::uint32_t element, std::uint32_t number) const;

    CpuInvocation& k_;
    const SceneSource& source_;
};

/// The float with the bits of an f16. Exact.
float float_of_half(std::uint32_t half);

}  // namespace glsort::scene
