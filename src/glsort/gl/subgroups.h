#pragma once

#include <glsort/gl/api.h>
#include <glsort/stream/kernel.h>

#include <cstdint>

namespace glsort::gl {

/// What a shader with subgroup operations has behind its `#version`: lines that begin with a line break; none for
/// none.
const char* subgroup_extensions(Subgroups subgroups);

/// Invocations of a subgroup in compute shaders, 4 to 64; 0 where there are no subgroup operations
/// (KHR_shader_subgroup, or ARB_shader_ballot on a software rasteriser), or they are not as kernels rely on them:
/// every subgroup that many neighbouring invocations, numbered as they lie in the group, and ballots of just
/// these.
///
/// What a driver says of its subgroups need not hold for a shader, so a small dispatch finds out; once for each
/// renderer, later calls know the answer. Changes the program, storage buffer 0 and the copy-read buffer.
std::uint32_t probe_subgroups(const std::shared_ptr<const Api>& api);

}  // namespace glsort::gl
