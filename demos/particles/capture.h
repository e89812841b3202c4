#pragma once

#include <glad/gl.h>

#include <cstdint>

namespace glsort::demo {

/// Runs the current program for `count` vertices, by transform feedback. Writes the outputs that the program captures
/// to the buffer `target`. Nothing is drawn, but the bound framebuffer must be complete.
inline void capture(const GladGLContext& gl, GLuint vertices, GLuint target, std::uint32_t count) {
    gl.BindVertexArray(vertices);
    gl.Enable(GL_RASTERIZER_DISCARD);
    gl.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl.BeginTransformFeedback(GL_POINTS);
    gl.DrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count));
    gl.EndTransformFeedback();
    gl.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl.Disable(GL_RASTERIZER_DISCARD);
    gl.BindVertexArray(0);
}

}  // namespace glsort::demo
