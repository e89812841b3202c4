#pragma once

#include <glsort/exec/shader_composer.h>
#include <glsort/stream/program.h>

#include <string>
#include <vector>

namespace glsort {

/// A shader of a program, with its `#version`.
struct ProgramShader {
    std::string kernel;  ///< The kernel of the first op that uses the shader.
    ShaderStage stage = ShaderStage::fragment;
    std::string text;
};

/// The distinct shaders of a program, in the order of its ops, as an executor compiles them. The shaders are for OpenGL
/// 3.3 or 4.3, or for OpenGL ES 3.0 or 3.1. Transfers have no shader. Needs no context. Assumes that the caller's
/// textures have the layout and width in the program. Throws `Error` for a program of the cpu backend.
std::vector<ProgramShader> program_shaders(const StreamProgram& program, bool es);

}  // namespace glsort
