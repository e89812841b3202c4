#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace glsort {

/// A hash of bytes that is the same on all machines: FNV-1a with 64 bits (Fowler, Noll, Vo). `seed`: bytes that come
/// before, by their fingerprint, or any number to get another hash of the same bytes.
constexpr std::uint64_t fnv_start = 0xcbf29ce484222325u;

inline std::uint64_t fingerprint(std::span<const std::byte> bytes, std::uint64_t seed = fnv_start) {
    std::uint64_t hash = seed;
    for (const std::byte byte : bytes)
        hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3u;
    return hash;
}

inline std::uint64_t fingerprint(std::string_view text, std::uint64_t seed = fnv_start) {
    return fingerprint(std::as_bytes(std::span(text.data(), text.size())), seed);
}

}  // namespace glsort
