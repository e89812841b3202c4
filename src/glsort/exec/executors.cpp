#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/exec/compute_executor.h>
#include <glsort/exec/executors.h>
#include <glsort/exec/fragment_executor.h>

#include <algorithm>

namespace glsort {
namespace {

/// Storage bindings that any sort of this context changes. A context may have fewer than the table of the state.
std::size_t storage_bindings(const gl::Api& api) {
    GLint bindings = 0;
    api.GetIntegerv(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS, &bindings);
    return std::min(gl::max_indices(&gl::StateScope::storage_blocks), static_cast<std::size_t>(bindings));
}

}  // namespace

bool is_built(Backend backend) {
    if (backend == Backend::fragment) return GLSORT_FRAGMENT != 0;
    if (backend == Backend::compute) return GLSORT_COMPUTE != 0;
    return true;
}

std::string why_not_built(Backend backend) {
    return fmt::format("this build of the library has no {} backend", to_string(backend));
}

gl::StateScope widest_scope(Backend backend) {
    if (backend == Backend::fragment) return FragmentExecutor::widest_scope;
    if (backend == Backend::compute) return ComputeExecutor::widest_scope;
    return {};
}

gl::StateScope construction_scope(const gl::Api& api) {
    gl::StateScope scope = FragmentExecutor::widest_scope;
    scope.copy = true;
    // Construction also warms up ops (`GlExecutor::warm_up`), which use the units and bindings of any sort.
    scope.storage = api.at_least(43, 31);
    scope.images = api.at_least(42, 31);
    scope.texture_units = gl::max_indices(&gl::StateScope::texture_units);
    scope.storage_blocks = scope.storage ? storage_bindings(api) : 0;
    scope.image_units = gl::max_indices(&gl::StateScope::image_units);
    return scope;
}

std::unique_ptr<GlExecutor> make_executor(Backend backend, const std::shared_ptr<const gl::Api>& api,
                                          const ExecutorOptions& options) {
    // Conditional compilation: an executor that is not built cannot be linked.
#if GLSORT_FRAGMENT
    if (backend == Backend::fragment) return std::make_unique<FragmentExecutor>(api, options);
#endif
#if GLSORT_COMPUTE
    if (backend == Backend::compute) return std::make_unique<ComputeExecutor>(api, options);
#endif
    throw Error(why_not_built(backend));
}

}  // namespace glsort
