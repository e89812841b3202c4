#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace glsort::demo {

/// Reads little-endian keys of `key_bytes` bytes, as words; `-` is standard input. Throws std::runtime_error naming the
/// file and the reason, as where its size is no multiple of a key's, or more comes than `most_keys`.
std::vector<std::uint32_t> read_keys(const std::filesystem::path& path, std::size_t key_bytes, std::uint64_t most_keys);

}  // namespace glsort::demo
