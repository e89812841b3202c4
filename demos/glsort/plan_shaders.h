#pragma once

#include <glsort/stream/program.h>

#include <filesystem>
#include <string>

namespace glsort::demo {

/// Writes the distinct shaders of a program's ops to `folder`, and makes the folder if necessary. There is a file for
/// each shader, `NN-KERNEL.frag`, `.vert` or `.comp`, numbered in the order of the ops. Existing files are overwritten.
/// Returns the paths, one per line. Throws std::runtime_error with the path and the reason.
std::string write_shaders(const StreamProgram& program, const std::filesystem::path& folder);

/// All these shaders as one text. A comment line names each shader.
std::string shaders_to_text(const StreamProgram& program);

}  // namespace glsort::demo
