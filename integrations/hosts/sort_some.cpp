#include "sort_some.h"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

/// As a renderer does: with functions loaded from the window library, whatever that is.
GladGLContext load(const glsort::GetProcAddress& get_proc_address) {
    GladGLContext gl{};
    const auto find = [](void* user, const char* name) {
        return reinterpret_cast<GLADapiproc>((*static_cast<const glsort::GetProcAddress*>(user))(name));
    };
    auto* const user = const_cast<glsort::GetProcAddress*>(&get_proc_address);
    if (gladLoadGLContextUserPtr(&gl, find, user) == 0) gladLoadGLES2ContextUserPtr(&gl, find, user);
    return gl;
}

}  // namespace

int sort_some(const glsort::GetProcAddress& get_proc_address, const char* host) {
    const GladGLContext gl = load(get_proc_address);
    const std::vector<float> depths{3.0f, -1.0f, 7.5f, 2.0f, 7.5f};
    constexpr std::array<std::uint32_t, 5> expected{2, 4, 0, 3, 1};
    constexpr std::size_t bytes = sizeof expected;
    std::array<GLuint, 2> buffers{};
    gl.GenBuffers(2, buffers.data());
    for (const GLuint buffer : buffers) {
        gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl.BufferData(GL_ARRAY_BUFFER, bytes, depths.data(), GL_DYNAMIC_COPY);
    }

    std::array<std::uint32_t, 5> order{};
    {
        glsort::Sorter sorter({.order = {.key = glsort::KeyType::f32, .direction = glsort::Direction::descending},
                               .payload = glsort::Payload::index(),
                               .capacity = expected.size()},
                              get_proc_address);
        sorter.sort({buffers[0]}, {buffers[1]}, expected.size());
        gl.BindBuffer(GL_COPY_READ_BUFFER, buffers[1]);
        const void* mapped = gl.MapBufferRange(GL_COPY_READ_BUFFER, 0, bytes, GL_MAP_READ_BIT);
        if (mapped != nullptr) std::copy_n(static_cast<const std::uint32_t*>(mapped), order.size(), order.begin());
        gl.UnmapBuffer(GL_COPY_READ_BUFFER);
    }
    gl.DeleteBuffers(2, buffers.data());

    const bool right = order == expected;
    std::printf("%s, %s: from back to front %u %u %u %u %u%s\n", host,
                reinterpret_cast<const char*>(gl.GetString(GL_VERSION)), order[0], order[1], order[2], order[3],
                order[4], right ? "" : ": WRONG");
    return right ? 0 : 1;
}
