#pragma once

#include <filesystem>
#include <string>

/// Files that programs read. `-` is standard input.
namespace glsort::demo {

/// Throws std::runtime_error: `cannot read FILE: REASON`.
[[noreturn]] void fail_reading(const std::filesystem::path& path, const std::string& reason);

/// Fails if a file is missing, is a folder or may not be read. Opens nothing, so that a pipe keeps its data.
void check_readable(const std::filesystem::path& path);

}  // namespace glsort::demo
