#pragma once

#include <glsort/gl/api.h>
#include <glsort/limits.h>

#include <cstdint>

namespace glsort::gl {

/// The `#extension` lines that a shader with subgroup operations has after its `#version`. They begin with a line
/// break. Empty for `Subgroups::none`.
const char* subgroup_extensions(Subgroups subgroups);

/// The subgroups of compute shaders.
struct SubgroupProbe {
    Subgroups extension = Subgroups::none;  ///< The extension that works and that kernels use.
    std::uint32_t size = 0;                 ///< Invocations per subgroup, 4 to 64; 0: no extension.
};

/// Probes KHR_shader_subgroup and, on a software rasteriser, ARB_shader_ballot. Returns the first whose subgroups
/// behave as the kernels require: every subgroup has `size` neighbouring invocations, numbered in the order of the
/// group, and ballots cover exactly these.
///
/// What a driver reports about its subgroups need not hold for a shader, so a small dispatch tests it. Cost: compiling
/// a short shader and waiting for the GPU, for each extension that the context has. Changes the current program,
/// storage buffer 0 and the copy-read buffer.
SubgroupProbe probe_subgroups(const std::shared_ptr<const Api>& api);

}  // namespace glsort::gl
