#include "settings.h"

#include "support/tuning.h"

namespace glsort::demo {

std::vector<std::uint32_t> make_keys(const Input& input) {
    return make_key_words(input.distribution, input.key, input.n, input.seed);
}

PlanRequest plan_request(const Input& input, const Method& method, const Limits& limits) {
    return {.spec = sort_spec(input, method), .n = input.n, .limits = limits};
}

SortSpec sort_spec(const Input& input, const Method& method) {
    SortSpec spec;
    spec.order = {.key = input.key, .direction = input.order};
    spec.capacity = input.n;
    spec.algorithm = method.algorithm;
    spec.backend = method.backend;
    spec.tuning = tuning_for(method.algorithm, method.digit_bits, method.tile, method.samples);
    spec.layout = method.layout;
    return spec;
}

}  // namespace glsort::demo
