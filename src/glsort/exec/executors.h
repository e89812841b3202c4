#pragma once

#include <glsort/exec/gl_executor.h>

#include <memory>
#include <string>

/// The executors that this build of the library has: CMake's options GLSORT_FRAGMENT and
/// GLSORT_COMPUTE leave one out.

namespace glsort {

/// Whether there is an executor for the backend.
bool is_built(Backend backend);

/// What is said where there is none.
std::string why_not_built(Backend backend);

/// The state that sorts of a backend change at the most, whether it is built or not.
gl::StateScope widest_scope(Backend backend);

/// The state that changes while an executor is made, and resolves programs.
gl::StateScope construction_scope();

/// The executor of a backend that is built: fragment or compute.
std::unique_ptr<GlExecutor> make_executor(Backend backend, const std::shared_ptr<const gl::Api>& api,
                                          bool debug_groups);

}  // namespace glsort
