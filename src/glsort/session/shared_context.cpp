#include <glsort/exec/gl_executor.h>
#include <glsort/gl/subgroups.h>
#include <glsort/session/context_report.h>
#include <glsort/session/scratch.h>
#include <glsort/session/shared_context.h>

namespace glsort {
namespace {

/// NVIDIA's driver compiles in threads of its own only after a call that sets the max number of threads. The initial
/// number is the largest u32, for no limit, but has no such effect. A second call with this number would wait for the
/// threads, for up to 200 ms. The library therefore sets one less, once: the next sorter of the context finds the
/// smaller number and makes no call. A number that the application has set stays.
void allow_compiler_threads(const gl::Api& api) {
    const auto set = api.KHR_parallel_shader_compile != 0   ? api.MaxShaderCompilerThreadsKHR
                     : api.ARB_parallel_shader_compile != 0 ? api.MaxShaderCompilerThreadsARB
                                                            : nullptr;
    if (set == nullptr) return;
    constexpr GLuint no_limit = 0xffffffffu;
    GLint threads = 0;
    api.GetIntegerv(GL_MAX_SHADER_COMPILER_THREADS_KHR, &threads);
    if (static_cast<GLuint>(threads) == no_limit) set(no_limit - 1);
}

}  // namespace

ExecutorOptions SharedContext::executor_options(const SorterOptions& options) const {
    return {.debug_groups = options.debug_groups,
            .hook = options.hook,
            .shared_scratch = shared_memory(options.shared_scratch.get(), *api),
            .max_elements_per_draw = options.max_elements_per_draw,
            .programs = programs};
}

std::shared_ptr<SharedContext> open_context(const GetProcAddress& get_proc_address, const SorterOptions& options,
                                            bool probe, Work& work) {
    auto context = std::make_shared<SharedContext>();
    context->api = gl::load_api(get_proc_address);
    context->api->binaries = options.binaries;
    context->api->label = options.name;
    context->programs = std::make_shared<ProgramCache>(context->api);
    work.add_once([context] { context->report = report_on(context->api, false); });
    allow_compiler_threads(*context->api);
    if (SharedContext::reports(options))
        work.add_once([context] { context->finished = std::make_unique<FinishedSorts>(context->api); });
    if (!probe || !context->api->at_least(43, 31)) return context;
    const auto probing = std::make_shared<gl::SubgroupProbing>(context->api);
    work.add([probing](bool may_wait) { return probing->step(may_wait); });
    work.add_once([context, probing] {
        Limits& limits = context->report.limits;
        limits.subgroups = probing->result().extension;
        limits.subgroup_size = probing->result().size;
    });
    return context;
}

}  // namespace glsort
