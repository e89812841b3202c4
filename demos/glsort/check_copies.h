#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>

/// Shaders of the caller's that write what is sorted and read what comes out.

namespace glsort::check {

/// Copies words between buffers, and texels between textures. Expects the state of a new context, and leaves it.
class Copies {
  public:
    /// Does something in a context that shares objects, and makes this one current again.
    using InSharing = std::function<void(const std::function<void(const GladGLContext&)>&)>;

    explicit Copies(const GladGLContext& gl, InSharing in_sharing = nullptr);
    Copies(const Copies&) = delete;
    Copies& operator=(const Copies&) = delete;

    /// By transform feedback, from vertex attributes.
    void feedback(GLuint from, std::size_t from_word, GLuint to, std::size_t to_word, std::size_t words);
    /// By a compute shader, between storage buffers. What comes behind needs a barrier.
    void compute(GLuint from, std::size_t from_word, GLuint to, std::size_t to_word, std::size_t words);
    /// By a draw, from a texture of unsigned integers to another of the same format.
    void draw(GLuint from, GLuint to, std::uint32_t width, std::uint32_t height);

    /// By a compute shader, from a texture of 1, 2 or 4 unsigned integers to another through an image unit. What comes
    /// behind needs a barrier.
    void store(GLuint from, GLuint to, std::uint32_t channels, std::uint32_t width, std::uint32_t height);
    /// Does something to objects in a context that shares them, behind all that was done here, and before all that is
    /// done here next. Quiet (check_ways.h).
    void elsewhere(const std::function<void(const GladGLContext&)>& action) const;

    /// glBufferStorage, or glBufferStorageEXT; null where there is neither.
    PFNGLBUFFERSTORAGEPROC buffer_storage() const { return buffer_storage_; }

  private:
    GLuint compile(GLenum stage, const char* gl_version, const char* es_version, const char* text) const;
    GLuint link(std::initializer_list<GLuint> shaders, const char* varying) const;
    GLuint framebuffer_of(GLuint texture) const;
    GLuint sampler();

    // They live as long as the context.
    const GladGLContext& gl_;
    bool es_;
    PFNGLBUFFERSTORAGEPROC buffer_storage_;
    InSharing in_sharing_;
    GLuint feedback_ = 0, compute_ = 0, draw_ = 0;
    GLuint store_[5] = {};  ///< By the number of channels.
    GLuint target_ = 0;     ///< What is drawn to where nothing is.
    GLuint sampler_ = 0;
    GLuint array_ = 0;
};

}  // namespace glsort::check
