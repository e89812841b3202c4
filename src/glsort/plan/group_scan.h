#pragma once

#include <glsort/stream/kernel.h>
#include <glsort/stream/program.h>

#include <cstdint>

/// Kernels whose groups add up a value of each invocation (shaders/lib/group_scan.glsl).

namespace glsort {

/// Invocations whose values one invocation adds up, without subgroups.
inline constexpr std::uint32_t scan_row = 16;

/// 32-bit words of shared memory that a scan takes: with subgroups of a GPU fewer.
constexpr std::uint32_t scan_words(std::uint32_t invocations) {
    return invocations + invocations / scan_row;
}

/// Makes `kernel` one with such subgroups of `size` invocations (shaders/lib/subgroup.glsl).
void declare_subgroups(Kernel& kernel, Subgroups subgroups, std::uint32_t size);

/// Makes `kernel`, which has its group size, a multiple of `scan_row`, one that scans: by subgroups where a GPU has
/// them. Adds to its `shared_words`.
void declare_group_scan(Kernel& kernel, const Limits& limits);

}  // namespace glsort
