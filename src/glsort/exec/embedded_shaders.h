#pragma once

#include <span>
#include <string_view>

namespace glsort {

/// A file of `shaders/`, compiled into the library.
struct EmbeddedShader {
    /// The path within `shaders/`, such as "networks/network_step.glsl".
    std::string_view name;
    /// The bytes of the file. A null byte follows, which the size does not count.
    std::string_view source;
};

/// The shader whose path is `file_name` or ends in `file_name`. Null if there is no such shader. Cost: linear in the
/// number of shaders. Does not throw.
const EmbeddedShader* find_embedded_shader(std::string_view file_name);

/// Every shader, ordered by path.
std::span<const EmbeddedShader* const> embedded_shaders();

}  // namespace glsort
