#pragma once

#include <glsort/gl/api.h>
#include <glsort/limits.h>

#include <cstdint>

namespace glsort::gl {

/// What a shader with subgroup operations has behind its `#version`: lines that begin with a line break; none for
/// none.
const char* subgroup_extensions(Subgroups subgroups);

/// The subgroups of compute shaders.
struct SubgroupProbe {
    Subgroups extension = Subgroups::none;  ///< What was probed, and what kernels are to use.
    std::uint32_t size = 0;                 ///< Invocations of a subgroup, 4 to 64; 0 where there is no extension.
};

/// The first of KHR_shader_subgroup and, on a software rasteriser, ARB_shader_ballot whose subgroups are as kernels
/// rely on them: every subgroup so many neighbouring invocations, numbered as they lie in the group, and ballots of
/// just these.
///
/// What a driver says of its subgroups need not hold for a shader, so a small dispatch finds out. Cost: compiling a
/// shader of some lines and a wait for the GPU, for each extension that the context has. Changes the program, storage
/// buffer 0 and the copy-read buffer.
SubgroupProbe probe_subgroups(const std::shared_ptr<const Api>& api);

}  // namespace glsort::gl
