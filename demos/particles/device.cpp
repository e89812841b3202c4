#include "device.h"

#include <fmt/format.h>
#include <glsort/error.h>
#include <glsort/planner.h>
#include <glsort/stream/schedule.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <cstdint>

#include "elements.h"
#include "emitters.h"
#include "support/console.h"
#include "support/memory.h"
#include "support/options.h"

namespace glsort::demo {

namespace {

// Of the computer's memory, which a software rasteriser uses and integrated GPUs share, a part for the GPU.
std::uint64_t shared_memory() {
    return free_memory() / 3;
}

// As a SceneSorter asks for its sort.
PlanRequest plan_request(const Method& method, const ContextReport& report, Backend backend) {
    PlanRequest request;
    request.n = method.count;
    request.spec.order.key = KeyType::f32;
    request.spec.payload = Payload::bytes(4);
    request.spec.capacity = method.count;
    request.spec.algorithm = method.algorithm;
    request.spec.backend = backend;
    request.spec.gpu_count = true;
    if (backend == Backend::fragment) {
        request.spec.layout = Layout::row_wise;
        request.spec.input = request.spec.output = Medium::texture;
        request.spec.own_output = true;
    }
    request.limits = report.limits;
    return request;
}

// Bytes for each element beside the sort's own: what SceneSorter::scratch_bytes() is larger, measured, and the two
// buffers that DrawOrder may need.
std::uint64_t bytes_beside_sort(Backend backend) {
    const std::uint64_t keys_of_cpu = 8;
    const std::uint64_t order_before_marks = 4;
    return (backend == Backend::fragment ? 58 : 9) + keys_of_cpu + order_before_marks;
}

// Bytes of the places of an emitter, which the compute backend reads as one storage buffer.
std::uint64_t bytes_of_emitter(const Method& method) {
    return std::uint64_t{sizeof(Place)} * first_of_emitter(1, method.emitters, method.count);
}

Method with(Method method, std::uint32_t count, Backend backend) {
    method.count = count;
    method.backend = backend;
    return method;
}

}  // namespace

Device::Device(const GladGLContext& gl, Api api, GetProcAddress get_proc_address, std::uint32_t element_bytes)
    : report_(describe_context(get_proc_address)),
      element_bytes_(element_bytes),
      memory_(free_gpu_memory(gl)),
      whose_memory_(memory_ != 0 ? "the GPU's" : "the computer's, of which a third may be the GPU's,"),
      largest_index_(UINT32_MAX) {
    if (memory_ == 0) memory_ = shared_memory();
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
    if (const std::uint64_t needed = bytes_of_emitter(method);
        backend == Backend::compute && needed > report_.limits.storage_bytes)
        return fmt::format("the places of an emitter need {} bytes; the limit of a storage buffer is {} bytes", needed,
                           report_.limits.storage_bytes);
    return "";
}

std::string Device::obstacle(const Method& method) const {
    if (method.backend != Backend::automatic) return obstacle_on(method.backend, method);
    std::string on_compute = obstacle_on(Backend::compute, method);
    if (on_compute.empty() || obstacle_on(Backend::fragment, method).empty()) return "";
    return on_compute;
}

std::vector<Offer> Device::algorithms(const Method& method) const {
    std::vector<Offer> offers;
    const auto add = [&](const std::string& name, const std::string& summary) {
        Method other = method;
        other.algorithm = name;
        offers.push_back({name, summary, obstacle(other)});
    };
    add("automatic", "what is fastest here, as far as glsort knows");
    for (const Algorithm& algorithm : glsort::algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            add(algorithm.name + ":" + variant.name, variant.summary);
    return offers;
}

Backend Device::backend_of(const Method& method) const {
    if (method.backend != Backend::automatic) return method.backend;
    return obstacle_on(report_.automatic, method).empty() ? report_.automatic : Backend::fragment;
}

std::uint64_t Device::bytes_for(const Method& method, Backend backend) const {
    return (element_bytes_ + bytes_beside_sort(backend)) * method.count +
           cost(plan(plan_request(method, report_, backend))).scratch_bytes;
}

bool Device::has_room(const Method& method) const {
    if (std::uint64_t{method.count} - 1 > largest_index_) return false;
    for (const Backend backend : {Backend::compute, Backend::fragment}) {
        if (method.backend != Backend::automatic && method.backend != backend) continue;
        if (!obstacle_on(backend, method).empty()) continue;
        if (bytes_for(method, backend) <= memory_) return true;
    }
    return false;
}

void Device::check_room(const Method& method) const {
    const std::string argument = "--count " + count_text(method.count);
    if (std::uint64_t{method.count} - 1 > largest_index_)
        throw UsageError(fmt::format("{}: the limit is {} particles, by the largest index of the driver", argument,
                                     count_text(largest_index_ + 1)));
    const Backend backend = backend_of(method);
    // What a single particle meets as well is no matter of room: the sorter says what it is.
    if (!obstacle_on(backend, with(method, 1, backend)).empty()) return;
    if (const std::string obstacle = obstacle_on(backend, method); !obstacle.empty())
        throw UsageError(argument + ": " + in_units(without_function(obstacle)));
    require_memory(argument, bytes_for(method, backend), memory_, whose_memory_);
}

std::uint32_t Device::largest_count(const Method& method) const {
    std::uint32_t count = most_particles;
    while (count > 1 && !has_room(with(method, count, method.backend)))
        count /= 2;
    return count;
}

}  // namespace glsort::demo
