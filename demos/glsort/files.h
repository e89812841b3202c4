#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace glsort::demo {

/// Reads little-endian keys of `key_bytes` bytes, as words; `-` is standard input. Throws std::runtime_error with the
/// file and the reason if the file cannot be read. Also throws if the size is no multiple of `key_bytes`, or if there
/// are more than `most_keys` keys.
std::vector<std::uint32_t> read_keys(const std::filesystem::path& path, std::size_t key_bytes, std::uint64_t most_keys);

}  // namespace glsort::demo
