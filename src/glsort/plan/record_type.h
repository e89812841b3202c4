#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace glsort {

/// What the ops of a sort rearrange: the code of a key, high word first, and the index of the key in the
/// input where there is a payload. shaders/record.glsl is its GLSL.
struct RecordType {
    std::uint32_t key_words = 1;  ///< 32-bit words of the code: 1 or 2.
    bool indexed = true;

    std::uint32_t words() const { return key_words + (indexed ? 1 : 0); }

    /// What record.glsl needs to be told.
    std::vector<std::pair<std::string, std::string>> defines() const {
        return {{"KEY_WORDS", fmt::format("{}", key_words)}, {"RECORD_WORDS", fmt::format("{}", words())}};
    }
};

}  // namespace glsort
