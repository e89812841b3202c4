#pragma once

#include <filesystem>
#include <string>

/// Whether programs may read and write their files. `-` is standard input, and standard output.
namespace glsort::demo {

/// Throws std::runtime_error: `cannot read FILE: REASON`.
[[noreturn]] void fail_reading(const std::filesystem::path& path, const std::string& reason);

/// Throws std::runtime_error: `cannot write FILE: REASON`.
[[noreturn]] void fail_writing(const std::filesystem::path& path, const std::string& reason);

/// Fails if a file is missing, is a folder or may not be read. Opens nothing, so that a pipe keeps its data.
void check_readable(const std::filesystem::path& path);

/// Fails if a file cannot be made: its folder is missing, or the file is a folder. Makes nothing.
void check_writable(const std::filesystem::path& path);

}  // namespace glsort::demo
