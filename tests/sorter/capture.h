#pragma once

#include <glad/gl.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "sorter/sorting.h"
#include "support/compile.h"

namespace glsort::test {

/// A draw of points. The vertex shader computes a number for each point, which transform feedback captures.
class Capture {
  public:
    /// `body` sets `result`. `declarations` come before `body`.
    Capture(TestContext& context, std::uint32_t count, const std::string& declarations, const std::string& body)
        : gl_(context.gl()), result_(context.gl(), Words(count, 0xdeadu)) {
        const bool es = tier_api(context.tier()) == demo::Api::gles;
        const std::string head = es ? "#version 300 es\nprecision highp int;\nprecision highp float;\n"
                                      "precision highp usampler2D;\n"
                                    : "#version 330 core\n";
        program_ = gl_.CreateProgram();
        const GLuint vertex = compile(gl_, GL_VERTEX_SHADER,
                                      head + declarations + "flat out uint result;\nvoid main() {\n" + body +
                                          "\ngl_Position = vec4(0.0); gl_PointSize = 1.0;\n}\n");
        const GLuint fragment = compile(gl_, GL_FRAGMENT_SHADER, head + "void main() {}\n");
        const char* varying = "result";
        gl_.TransformFeedbackVaryings(program_, 1, &varying, GL_SEPARATE_ATTRIBS);
        link_program(gl_, program_, vertex, fragment);
        gl_.GenVertexArrays(1, &array_);
        gl_.GenFramebuffers(1, &framebuffer_);
        gl_.GenRenderbuffers(1, &renderbuffer_);
        gl_.BindRenderbuffer(GL_RENDERBUFFER, renderbuffer_);
        gl_.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
        gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_);
        gl_.FramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer_);
        gl_.UseProgram(program_);
        gl_.BindVertexArray(array_);
    }
    ~Capture() {
        gl_.UseProgram(0);
        gl_.BindVertexArray(0);
        gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
        gl_.DeleteProgram(program_);
        gl_.DeleteVertexArrays(1, &array_);
        gl_.DeleteFramebuffers(1, &framebuffer_);
        gl_.DeleteRenderbuffers(1, &renderbuffer_);
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    GLuint program() const { return program_; }

    template <class Draw>
    Words run(const Draw& draw) {
        run_to(result_.name(), draw);
        return result_.read();
    }

    /// Captures to a buffer of the test.
    template <class Draw>
    void run_to(GLuint buffer, const Draw& draw) {
        gl_.Enable(GL_RASTERIZER_DISCARD);
        gl_.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffer);
        gl_.BeginTransformFeedback(GL_POINTS);
        draw();
        gl_.EndTransformFeedback();
        gl_.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
        gl_.Disable(GL_RASTERIZER_DISCARD);
    }

  private:
    const GladGLContext& gl_;
    CallerBuffer result_;
    GLuint program_ = 0;
    GLuint array_ = 0;
    GLuint framebuffer_ = 0;
    GLuint renderbuffer_ = 0;
};

}  // namespace glsort::test
