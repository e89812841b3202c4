#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace glsort {

/// The start value of FNV-1a with 64 bits.
constexpr std::uint64_t fnv_start = 0xcbf29ce484222325u;

/// A hash of bytes, by FNV-1a (Fowler, Noll and Vo) over eight bytes at a time. Equal bytes have equal hashes in all
/// runs on a machine. `seed`: the fingerprint of the bytes that come before, or any number to get another hash of the
/// bytes.
inline std::uint64_t fingerprint(std::span<const std::byte> bytes, std::uint64_t seed = fnv_start) {
    // Products alone would not carry high bits of a word down.
    const auto add = [](std::uint64_t hash, std::uint64_t word) {
        hash = (hash ^ word) * 0x100000001b3u;
        return hash ^ hash >> 32;
    };
    // The size tells missing bytes from zeros.
    std::uint64_t hash = add(seed, bytes.size());
    while (!bytes.empty()) {
        std::uint64_t word = 0;
        const std::size_t size = bytes.size() < sizeof(word) ? bytes.size() : sizeof(word);
        std::memcpy(&word, bytes.data(), size);
        hash = add(hash, word);
        bytes = bytes.subspan(size);
    }
    return hash;
}

inline std::uint64_t fingerprint(std::string_view text, std::uint64_t seed = fnv_start) {
    return fingerprint(std::as_bytes(std::span(text.data(), text.size())), seed);
}

}  // namespace glsort
