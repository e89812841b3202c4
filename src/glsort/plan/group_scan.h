#pragma once

#include <glsort/stream/kernel.h>

#include <cstdint>

/// Kernels whose groups compute prefix sums, with one value from each invocation (shaders/lib/group_scan.glsl).

namespace glsort {

/// The number of values that one invocation adds up if there are no subgroups.
inline constexpr std::uint32_t scan_row = 16;

/// Max 32-bit words of shared memory that a scan takes. With subgroups a scan takes fewer.
constexpr std::uint32_t scan_words(std::uint32_t invocations) {
    return invocations + invocations / scan_row;
}

/// The words of a scan on a device.
std::uint32_t scan_words(std::uint32_t invocations, const Limits& limits);

/// Declares that `kernel` uses subgroups of `size` invocations, by the extension `subgroups`
/// (shaders/lib/subgroup.glsl).
void declare_subgroups(Kernel& kernel, Subgroups subgroups, std::uint32_t size);

/// Declares that the groups of `kernel` scan, by subgroups if the device has subgroups of GL_KHR_shader_subgroup. The
/// group size must be set, to a multiple of `scan_row`. Adds the scan's words to `shared_words`.
void declare_group_scan(Kernel& kernel, const Limits& limits);

}  // namespace glsort
