#include "settings.h"

namespace glsort::demo {

std::string_view to_string(SortKey key) {
    return key == SortKey::depth ? "depth" : "distance";
}

std::string_view to_string(KeyMaker maker) {
    return maker == KeyMaker::gpu ? "gpu" : "cpu";
}

std::vector<int> versions_to_try(const Settings& settings) {
    if (settings.version != 0) return {settings.version};
    const bool gl = settings.api == Api::gl;
    const int with_compute = gl ? 43 : 31;
    const int without = gl ? 33 : 30;
    if (settings.backend == Backend::compute) return {with_compute};
    if (settings.backend == Backend::fragment) return {without};
    return {with_compute, without};
}

}  // namespace glsort::demo
