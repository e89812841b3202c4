#pragma once

#include <glsort/exec/shader_composer.h>
#include <glsort/stream/program.h>

#include <string>
#include <vector>

namespace glsort {

/// A shader of a program, with its `#version`.
struct ProgramShader {
    std::string kernel;  ///< Of the first op that runs it.
    ShaderStage stage = ShaderStage::fragment;
    std::string text;
};

/// The distinct shaders of a program's ops, in the order of the ops, as an executor compiles them: for OpenGL 3.3
/// or 4.3, or for OpenGL ES 3.0 or 3.1. Transfers have none. Needs no context. The caller's textures are taken to have
/// the layout and the width that the program gives them. Throws `Error` where the program is one of the cpu backend.
std::vector<ProgramShader> program_shaders(const StreamProgram& program, bool es);

}  // namespace glsort
