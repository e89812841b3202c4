#pragma once

#include <glsort/gl/api.h>
#include <glsort/limits.h>

#include <cstdint>

namespace glsort::gl {

/// The `#extension` lines that a shader with subgroup operations has after its `#version`. The text begins with a line
/// break. Empty for `Subgroups::none`.
const char* subgroup_extensions(Subgroups subgroups);

/// The subgroups of compute shaders.
struct SubgroupProbe {
    Subgroups extension = Subgroups::none;  ///< The extension that works and that kernels use.
    std::uint32_t size = 0;                 ///< Invocations per subgroup, 4 to 64; 0: no extension.
};

/// Probes KHR_shader_subgroup and, on a software rasteriser, ARB_shader_ballot. Returns the first extension whose
/// subgroups behave as the kernels require. Every subgroup must have `size` neighbouring invocations, numbered in the
/// order of the group. Ballots must cover exactly these invocations.
///
/// What a driver reports about its subgroups need not hold in a shader, so a small dispatch tests the subgroups. Cost:
/// compiling a short shader and waiting for the GPU, for each extension that the context has. Changes the current
/// program, storage buffer 0 and the copy-read buffer.
SubgroupProbe probe_subgroups(const std::shared_ptr<const Api>& api);

}  // namespace glsort::gl
