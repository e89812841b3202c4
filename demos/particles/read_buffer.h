#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace glsort::demo {

/// `count` values of a buffer, at least one, from the byte `offset` on. Waits for the GPU.
template <typename T>
std::vector<T> read_buffer(const GladGLContext& gl, GLuint buffer, std::size_t count, std::uint64_t offset = 0) {
    std::vector<T> values(count);
    gl.BindBuffer(GL_COPY_READ_BUFFER, buffer);
    const void* mapped = gl.MapBufferRange(GL_COPY_READ_BUFFER, static_cast<GLintptr>(offset),
                                           static_cast<GLsizeiptr>(count * sizeof(T)), GL_MAP_READ_BIT);
    if (mapped == nullptr) throw std::runtime_error("a buffer cannot be read back");
    std::memcpy(values.data(), mapped, count * sizeof(T));
    gl.UnmapBuffer(GL_COPY_READ_BUFFER);
    gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
    return values;
}

}  // namespace glsort::demo
