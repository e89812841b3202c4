#include "options.h"

#include <algorithm>

namespace glsort::demo {

Method method_for(const Options& options, const Device& device) {
    Method method = options.method;
    if (options.backend) {
        method.backend = *options.backend;
    } else if (choose_algorithm(method.algorithm).portable) {
        method.backend = Backend::fragment;
    } else {
        const bool compute = std::ranges::any_of(device.report.offers, [](const ContextReport::Offer& offer) {
            return offer.backend == Backend::compute && offer.available;
        });
        method.backend = compute ? Backend::compute : Backend::cpu;
    }
    return method;
}

}  // namespace glsort::demo
