#include "settings.h"

#include <glsort/scene.h>

#include <algorithm>

#include "support/key_scene.h"
#include "support/tuning.h"

namespace glsort::demo {

std::vector<std::uint32_t> make_keys(const Input& input) {
    return make_key_words(input.distribution, input.key, input.n, input.seed);
}

std::vector<std::uint32_t> shown_elements(const Input& input) {
    std::vector<std::uint32_t> shown;
    for (std::uint32_t i = 0; input.is_scene() && i < input.n; ++i)
        if (is_shown(input.visible, input.seed, i)) shown.push_back(i);
    return shown;
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

SceneSpec scene_spec(const Input& input, const Method& method) {
    SceneSpec spec{
        .key = input.key, .direction = input.order, .algorithm = method.algorithm, .backend = method.backend};
    if (spec.backend == Backend::cpu) spec.backend = Backend::compute;
    spec.sources = divided(source_of_keys(input.key, input.visible < 1), input.n, std::max(input.sources, 1u));
    return spec;
}

StreamProgram planned_program(const Input& input, const Method& method, const Limits& limits) {
    if (input.is_scene()) return CpuSceneSorter(scene_spec(input, method), limits).program();
    return plan({.spec = sort_spec(input, method), .n = input.n, .limits = limits});
}

}  // namespace glsort::demo
