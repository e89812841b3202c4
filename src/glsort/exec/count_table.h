#pragma once

#include <glsort/gl_types.h>
#include <glsort/stream/count_rule.h>

#include <array>
#include <cstdint>

namespace glsort {

/// The rules of a program's numbers, for a shader that knows the count before the program runs.
struct CountTable {
    BufferSlice rules;
    std::uint32_t rule_count = 0;
    BufferSlice numbers;             ///< Where the numbers go, behind a status of `count_status_words` words.
    std::uint32_t words = 0;         ///< Of `numbers`.
    std::uint32_t most_columns = 0;  ///< Groups along one dimension of a dispatch.
    std::array<std::uint32_t, max_count_bases> bases{};
};

}  // namespace glsort
