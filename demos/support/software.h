#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace glsort::demo {

/// Whether a renderer (GL_RENDERER) draws on the CPU. Programs then measure with a clock, because timer queries of such
/// renderers do not measure the work.
inline bool is_software(std::string_view renderer) {
    constexpr std::array<std::string_view, 5> names{"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software"};
    return std::ranges::any_of(
        names, [renderer](std::string_view name) { return renderer.find(name) != std::string_view::npos; });
}

}  // namespace glsort::demo
