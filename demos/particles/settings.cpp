#include "settings.h"

#include <glsort/planner.h>

namespace glsort::demo {

std::string_view to_string(SortKey key) {
    return key == SortKey::depth ? "depth" : "distance";
}

std::string_view to_string(KeyMaker maker) {
    return maker == KeyMaker::gpu ? "gpu" : "cpu";
}

std::vector<std::string> scene_algorithms() {
    std::vector<std::string> names = {"automatic"};
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            if (variant.takes.gpu_count) names.push_back(algorithm.name + ":" + variant.name);
    return names;
}

std::vector<int> versions_to_try(const Settings& settings) {
    if (settings.version) return {*settings.version};
    const bool gl = settings.api == Api::gl;
    const int with_compute = gl ? 43 : 31;
    const int without = gl ? 33 : 30;
    if (settings.backend == Backend::compute) return {with_compute};
    if (settings.backend == Backend::fragment) return {without};
    return {with_compute, without};
}

}  // namespace glsort::demo
