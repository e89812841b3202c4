#include "settings.h"

namespace glsort::demo {

namespace {

// What a plan request and a sort specification have in common.
template <class What>
What what_of(const Input& input, const Method& method) {
    What what;
    what.key = input.key;
    what.order = input.order;
    what.algorithm = method.algorithm;
    what.backend = method.backend;
    what.layout = method.layout;
    what.tile = method.tile;
    what.samples = method.samples;
    what.digit_bits = method.digit_bits;
    return what;
}

}  // namespace

std::vector<std::uint32_t> make_keys(const Input& input) {
    return make_key_words(input.distribution, input.key, input.n, input.seed);
}

PlanRequest plan_request(const Input& input, const Method& method, const Limits& limits) {
    auto request = what_of<PlanRequest>(input, method);
    request.n = input.n;
    request.limits = limits;
    return request;
}

SortSpec sort_spec(const Input& input, const Method& method) {
    auto spec = what_of<SortSpec>(input, method);
    spec.capacity = input.n;
    return spec;
}

}  // namespace glsort::demo
