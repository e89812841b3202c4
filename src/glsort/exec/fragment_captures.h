#pragma once

#include <glsort/gl/objects.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace glsort {

/// Captures points by transform feedback, without fragments. In this way the fragment backend writes buffers. The
/// program in use computes what a point writes to each buffer.
class FragmentCaptures {
  public:
    /// Changes the bindings of texture unit 0, of the pixel unpack and array buffers, and of the draw framebuffer.
    explicit FragmentCaptures(const std::shared_ptr<const gl::Api>& api);

    /// Call before a program gets varyings. While the caller's transform feedback is active, even if paused, no program
    /// can get varyings. The library's own feedback object is not active.
    void bind_feedback() const;
    /// Call before a capture.
    void begin();
    /// Captures points. Buffers must be bound. An op in pieces calls `begin` once, `points` for each piece with its own
    /// ranges bound, and `end` once.
    void points(GLint first, GLsizei count) const;
    /// Call after captures to `buffers` buffers.
    void end(std::size_t buffers) const;

    /// The most points of one capture.
    std::uint32_t most_points() const { return most_points_; }
    /// A texture of one texel, for framebuffers that must be complete.
    GLuint blank_texture() const { return blank_texture_.name(); }

  private:
    std::shared_ptr<const gl::Api> api_;
    std::uint32_t most_points_;
    gl::TransformFeedback feedback_;  ///< None on OpenGL 3.3.
    gl::Texture blank_texture_;
    /// Targets of draws, which draw nothing. Two on a driver with `gl::joins_captures`, else one.
    std::vector<gl::Framebuffer> blank_framebuffers_;
    std::size_t blank_ = 0;    ///< The framebuffer of the last capture.
    gl::Buffer between_ = {};  ///< Bound between captures on a driver with `gl::continues_captures`, else none.
};

}  // namespace glsort
