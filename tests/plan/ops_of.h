#pragma once

#include <glsort/stream/program.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace glsort::test {

/// The number of ops of a program that run this kernel.
inline std::size_t ops_of(const StreamProgram& program, std::string_view kernel) {
    return static_cast<std::size_t>(
        std::ranges::count_if(program.ops, [kernel](const Op& op) { return op.kernel->name == kernel; }));
}

}  // namespace glsort::test
