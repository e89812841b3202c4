#pragma once

#include <span>
#include <string_view>

namespace glsort {

/// A file of `shaders/`, compiled into the library.
struct EmbeddedShader {
    /// The path within `shaders/`, such as "networks/network_step.glsl".
    std::string_view name;
    /// The bytes of the file; a null byte that is not counted follows them.
    std::string_view source;
};

/// The shader whose path is `file_name`, or ends in it; when there is none. Takes time linear in the number of
/// shaders; throws nothing.
const EmbeddedShader* find_embedded_shader(std::string_view file_name);

/// Every shader, ordered by path.
std::span<const EmbeddedShader* const> embedded_shaders();

}  // namespace glsort
