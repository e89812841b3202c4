#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

/// Shaders of the caller's that write what is sorted and read what comes out.

namespace glsort::check {

/// Copies words between buffers, and texels between textures. Expects the state of a new context, and leaves it.
class Copies {
  public:
    explicit Copies(const GladGLContext& gl);
    Copies(const Copies&) = delete;
    Copies& operator=(const Copies&) = delete;

    /// By transform feedback, from vertex attributes.
    void feedback(GLuint from, std::size_t from_word, GLuint to, std::size_t to_word, std::size_t words);
    /// By a compute shader, between storage buffers. What comes behind needs a barrier.
    void compute(GLuint from, std::size_t from_word, GLuint to, std::size_t to_word, std::size_t words);
    /// By a draw, from a texture of unsigned integers to another of the same format.
    void draw(GLuint from, GLuint to, std::uint32_t width, std::uint32_t height);

    /// glBufferStorage, or glBufferStorageEXT; null where there is neither.
    PFNGLBUFFERSTORAGEPROC buffer_storage() const { return buffer_storage_; }

  private:
    GLuint compile(GLenum stage, const char* gl_version, const char* es_version, const char* text) const;
    GLuint link(std::initializer_list<GLuint> shaders, const char* varying) const;
    GLuint framebuffer_of(GLuint texture) const;

    // They live as long as the context.
    const GladGLContext& gl_;
    bool es_;
    PFNGLBUFFERSTORAGEPROC buffer_storage_;
    GLuint feedback_ = 0, compute_ = 0, draw_ = 0;
    GLuint target_ = 0;  ///< What is drawn to where nothing is.
    GLuint sampler_ = 0;
    GLuint array_ = 0;
};

}  // namespace glsort::check
