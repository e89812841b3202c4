#include <fmt/format.h>

#include <glsort/base/in_function.h>
#include <glsort/exec/executors.h>
#include <glsort/gl/capabilities.h>
#include <glsort/session/context_report.h>

#include <string>

namespace glsort {
namespace {

// Conditional compilation: a build without the backend has no other sign.
#if defined(GLSORT_WITHOUT_CPU)
constexpr bool has_cpu = false;
#else
constexpr bool has_cpu = true;
#endif

const char* text(const GLubyte* string) {
    return reinterpret_cast<const char*>(string);
}

}  // namespace

ContextReport report_on(const std::shared_ptr<const gl::Api>& api, bool probe) {
    ContextReport report;
    report.renderer = text(api->GetString(GL_RENDERER));
    report.version = text(api->GetString(GL_VERSION));
    report.shading_language = text(api->GetString(GL_SHADING_LANGUAGE_VERSION));
    report.limits = gl::query_limits(api, probe);
    std::string compute_reason;
    bool compute = gl::has_compute(*api, compute_reason);
    if (!is_built(Backend::compute)) {
        compute = false;
        compute_reason = why_not_built(Backend::compute);
    }
    const bool fragment = is_built(Backend::fragment);
    report.offers = {{Backend::fragment, fragment,
                      fragment ? fmt::format("{} integer attachments, textures up to {}x{}", report.limits.attachments,
                                             report.limits.texture_size, report.limits.texture_size)
                               : why_not_built(Backend::fragment)},
                     {Backend::compute, compute, compute_reason},
                     {Backend::cpu, has_cpu, has_cpu ? "CpuSorter, over host memory" : why_not_built(Backend::cpu)}};
    report.automatic = compute || !fragment ? Backend::compute : Backend::fragment;
    report.automatic_reason = compute ? "compute shaders are there, and write buffers in place" : compute_reason;
    return report;
}

ContextReport describe_context(const GetProcAddress& get_proc_address) {
    return in_function("describe_context", [&] { return report_on(gl::load_api(get_proc_address), true); });
}

}  // namespace glsort
