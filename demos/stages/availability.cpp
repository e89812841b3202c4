#include "availability.h"

#include <fmt/format.h>
#include <glsort/stream/validate.h>

#include <string_view>

namespace glsort::demo {

std::string why_not(Backend backend, const Device& device) {
    for (const ContextReport::Offer& offer : device.report.offers)
        if (offer.backend == backend && !offer.available) return fmt::format("{} {}", to_string(backend), offer.reason);
    return {};
}

std::string why_not(const Input& input, const Method& method, const Device& device) {
    // Scenes run in C++, whatever the context has.
    std::string reason = input.is_scene() ? std::string{} : why_not(method.backend, device);
    if (!reason.empty()) return reason;
    const Limits limits = limits_for(method, &device);
    try {
        validate(planned_program(input, method, limits), limits);
    } catch (const Error& error) {
        reason = error.what();
        // Messages of the library begin with the name of the called function, which users of the viewer do not know.
        for (const std::string_view function : {"plan: ", "validate: ", "CpuSceneSorter::CpuSceneSorter: "})
            if (reason.starts_with(function)) reason.erase(0, function.size());
    }
    return reason;
}

}  // namespace glsort::demo
