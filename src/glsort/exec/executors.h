#pragma once

#include <glsort/exec/gl_executor.h>

#include <memory>
#include <string>

/// The executors in this build of the library. CMake's options GLSORT_FRAGMENT and GLSORT_COMPUTE can each exclude an
/// executor.

namespace glsort {

/// Whether this build has an executor for the backend.
bool is_built(Backend backend);

/// The error text for a backend that is not built.
std::string why_not_built(Backend backend);

/// The largest OpenGL state that any sort of a backend changes, whether the backend is built or not.
gl::StateScope widest_scope(Backend backend);

/// The OpenGL state of the context that changes while a sorter is constructed: executors, programs, the probe of
/// subgroups.
gl::StateScope construction_scope(const gl::Api& api);

/// Makes the executor of a backend that is built, fragment or compute.
std::unique_ptr<GlExecutor> make_executor(Backend backend, const std::shared_ptr<const gl::Api>& api,
                                          const ExecutorOptions& options);

}  // namespace glsort
