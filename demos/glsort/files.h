#pragma once

#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

namespace glsort::demo {

/// Reads a file of little-endian keys of `key_bytes` bytes, as words. Throws std::runtime_error
/// naming the file and the reason, as where its size is no multiple of a key's.
std::vector<std::uint32_t> read_keys(const std::filesystem::path& path, std::size_t key_bytes);

/// A file and the words that it shall hold, little-endian.
using FileContent = std::pair<std::filesystem::path, const std::vector<std::uint32_t>*>;

/// Writes all the files, or none: each one under a temporary name beside its own, and renamed when
/// all are complete. What is no regular file (a pipe) is written to directly. Throws
/// std::runtime_error naming the file and the reason.
void write_files(const std::vector<FileContent>& files);

}  // namespace glsort::demo
