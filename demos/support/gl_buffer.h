#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace glsort::demo {

/// Throws std::runtime_error if OpenGL has reported an error since the last call. `when` says what was done.
void check_gl(const GladGLContext& gl, const char* when);

/// A buffer in GPU memory, on every version of OpenGL that the library supports.
class GlBuffer {
  public:
    GlBuffer(const GladGLContext& gl, std::span<const std::uint32_t> words);
    ~GlBuffer();
    GlBuffer(const GlBuffer&) = delete;
    GlBuffer& operator=(const GlBuffer&) = delete;

    /// Queues a copy of all of `source`, which must have an equal size.
    void copy_from(const GlBuffer& source);
    /// All words. Waits for the GPU.
    std::vector<std::uint32_t> download() const;
    std::uint32_t name() const { return name_; }

  private:
    const GladGLContext& gl_;
    std::uint32_t name_ = 0;
    std::size_t words_ = 0;
};

}  // namespace glsort::demo
