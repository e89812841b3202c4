#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>

/// Shaders of the caller that write the input of a sort and read its output.

namespace glsort::check {

/// The internal format of a texture with 1, 2 or 4 unsigned integers in a texel.
GLenum internal_format_of(std::uint32_t channels);

/// Copies words between buffers, and texels between textures. Expects the state of a new context, and restores that
/// state.
class Copies {
  public:
    /// Performs an action in a context that shares objects. Then makes this context current again.
    using InSharing = std::function<void(const std::function<void(const GladGLContext&)>&)>;

    explicit Copies(const GladGLContext& gl, InSharing in_sharing = nullptr);
    Copies(const Copies&) = delete;
    Copies& operator=(const Copies&) = delete;

    /// Copies by transform feedback, from vertex attributes. Later commands need no barrier.
    void feedback(GLuint from, std::size_t from_word, GLuint to, std::size_t to_word, std::size_t words);
    /// Copies by a compute shader, between storage buffers. Later commands need a barrier.
    void compute(GLuint from, std::size_t from_word, GLuint to, std::size_t to_word, std::size_t words);
    /// Copies by a draw, from a texture of unsigned integers to another of equal format.
    void draw(GLuint from, GLuint to, std::uint32_t width, std::uint32_t height);

    /// Copies by a compute shader, from a texture of 1, 2 or 4 unsigned integers through an image unit to another
    /// texture. Later commands need a barrier.
    void store(GLuint from, GLuint to, std::uint32_t channels, std::uint32_t width, std::uint32_t height);
    /// Performs an action on objects in a context that shares them. The action comes after all earlier commands of this
    /// context, and before all later ones. Quiet (check_ways.h).
    void elsewhere(const std::function<void(const GladGLContext&)>& action) const;

    /// Makes a later upload to a texture wait for all earlier commands. OpenGL requires this anyway. On zink, uploads
    /// overtake earlier commands (docs/driver-faults.md). Does nothing elsewhere. Quiet.
    void settle_textures() const {
        if (is_zink_) gl_.Finish();
    }

    /// glBufferStorage or glBufferStorageEXT. Null if the context has neither.
    PFNGLBUFFERSTORAGEPROC buffer_storage() const { return buffer_storage_; }

  private:
    GLuint compile(GLenum stage, const char* gl_version, const char* es_version, const char* text) const;
    GLuint link(std::initializer_list<GLuint> shaders, const char* varying) const;
    GLuint framebuffer_of(GLuint texture) const;
    GLuint sampler();

    // These objects live as long as the context.
    const GladGLContext& gl_;
    bool es_;
    bool is_zink_, is_angle_;
    PFNGLBUFFERSTORAGEPROC buffer_storage_;
    InSharing in_sharing_;
    GLuint feedback_ = 0, compute_ = 0, draw_ = 0;
    GLuint store_[5] = {};  ///< By the number of channels.
    GLuint target_ = 0;     ///< The target of draws that draw nothing.
    GLuint sampler_ = 0;
    GLuint array_ = 0;
};

}  // namespace glsort::check
