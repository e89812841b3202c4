#include "options.h"

#include "availability.h"

namespace glsort::demo {

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
