#include "options.h"

#include "availability.h"

namespace glsort::demo {

std::vector<int> versions_to_try(const Options& options) {
    // Prefers a context with compute shaders. All else works without.
    return options.version != 0 ? std::vector{options.version} : std::vector{43, 33};
}

Method method_for(const Options& options, const Device& device) {
    Method method = options.method;
    if (options.backend) {
        method.backend = *options.backend;
        return method;
    }
    for (const Backend backend : {Backend::fragment, Backend::compute}) {
        method.backend = backend;
        if (why_not(options.input, method, device).empty()) return method;
    }
    method.backend = Backend::cpu;
    return method;
}

}  // namespace glsort::demo
