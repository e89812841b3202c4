#include "device.h"

#include <fmt/format.h>
#include <glsort/error.h>
#include <glsort/planner.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/validate.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace glsort::demo {

namespace {

// The memory of the GPU if the driver reports it. Otherwise a third of the computer's memory, which software
// rasterisers and integrated GPUs use.
std::uint64_t usable_memory(const GladGLContext& gl) {
    constexpr GLenum total_available_kib = 0x9048;  // GL_NVX_gpu_memory_info
    GLint extensions = 0;
    gl.GetIntegerv(GL_NUM_EXTENSIONS, &extensions);
    for (GLint i = 0; i < extensions; ++i) {
        const GLubyte* name = gl.GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i));
        if (std::string(reinterpret_cast<const char*>(name)) != "GL_NVX_gpu_memory_info") continue;
        GLint kib = 0;
        gl.GetIntegerv(total_available_kib, &kib);
        return std::uint64_t{1024} * static_cast<std::uint64_t>(std::max(kib, 0));
    }
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * page / 3 : UINT64_C(1) << 30;
}

PlanRequest plan_request(const Method& method, const ContextReport& report, Backend backend) {
    PlanRequest request;
    request.n = method.count;
    request.spec.order.key = KeyType::f32;
    request.spec.algorithm = method.algorithm;
    request.spec.backend = backend;
    request.limits = report.limits;
    return request;
}

}  // namespace

SortSpec sort_spec(const Method& method) {
    SortSpec spec;
    spec.order.key = KeyType::f32;
    spec.payload = Payload::index();
    spec.order.direction = Direction::ascending;  // Keys grow towards the eye, so the farthest come first.
    spec.algorithm = method.algorithm;
    spec.backend = method.backend;
    spec.capacity = method.count;
    return spec;
}

Device::Device(const GladGLContext& gl, Api api, GetProcAddress get_proc_address, std::uint32_t element_bytes)
    : report_(describe_context(get_proc_address)),
      element_bytes_(element_bytes),
      memory_(usable_memory(gl)),
      largest_index_(UINT32_MAX) {
    if (api == Api::gles) {
        GLint64 largest = 0;
        gl.GetInteger64v(GL_MAX_ELEMENT_INDEX, &largest);
        largest_index_ = static_cast<std::uint64_t>(largest);
    }
    backends_.push_back(
        {"automatic", fmt::format("here {}: {}", to_string(report_.automatic), report_.automatic_reason), ""});
    for (const ContextReport::Offer& offer : report_.offers) {
        if (offer.backend == Backend::cpu) continue;  // The backend cpu sorts no buffers of OpenGL.
        backends_.push_back({std::string(to_string(offer.backend)), offer.available ? offer.reason : "",
                             offer.available ? "" : offer.reason});
    }
}

std::string Device::obstacle_on(Backend backend, const Method& method) const {
    for (const ContextReport::Offer& offer : report_.offers)
        if (offer.backend == backend && !offer.available) return offer.reason;
    try {
        validate(plan(plan_request(method, report_, backend)), report_.limits);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string Device::obstacle(const Method& method) const {
    if (method.backend != Backend::automatic) return obstacle_on(method.backend, method);
    const std::string on_compute = obstacle_on(Backend::compute, method);
    if (on_compute.empty() || obstacle_on(Backend::fragment, method).empty()) return "";
    return on_compute;
}

std::vector<Offer> Device::algorithms(std::uint32_t count, Backend backend) const {
    std::vector<Offer> offers;
    const auto add = [&](const std::string& name, const std::string& summary) {
        offers.push_back({name, summary, obstacle({count, backend, name})});
    };
    add("automatic", "what is fastest here, as far as glsort knows");
    for (const Algorithm& algorithm : glsort::algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            add(algorithm.name + ":" + variant.name, variant.summary);
    return offers;
}

bool Device::has_room(const Method& method) const {
    if (std::uint64_t{method.count} - 1 > largest_index_) return false;
    for (const Backend backend : {Backend::compute, Backend::fragment}) {
        if (method.backend != Backend::automatic && method.backend != backend) continue;
        if (!obstacle_on(backend, method).empty()) continue;
        const std::uint64_t scratch = cost(plan(plan_request(method, report_, backend))).scratch_bytes;
        if (scratch + element_bytes_ * method.count <= memory_) return true;
    }
    return false;
}

std::uint32_t Device::largest_count(const Method& method) const {
    std::uint32_t count = most_particles;
    while (count > 1 && !has_room({count, method.backend, method.algorithm}))
        count /= 2;
    return count;
}

}  // namespace glsort::demo
