#pragma once

#include <glsort/stream/program.h>

#include <filesystem>
#include <string>

namespace glsort::demo {

/// Writes the distinct shaders of a program's operations into `folder`, which is made where it is missing: one file
/// each, `NN-KERNEL.frag`, `.vert` or `.comp`, numbered in the order of the operations. Files of these names are
/// overwritten. Returns the paths, a line each. Throws std::runtime_error naming the path and the reason.
std::string write_shaders(const StreamProgram& program, const std::filesystem::path& folder);

/// The same shaders as one text: a line of comment names each.
std::string shaders_to_text(const StreamProgram& program);

}  // namespace glsort::demo
