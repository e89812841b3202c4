#pragma once

#include <glad/gl.h>

#include <string>
#include <utility>
#include <vector>

/// OpenGL objects that delete themselves. The GladGLContext that they refer to, and its OpenGL context, must outlive
/// them.
namespace glsort::demo {

/// One object. `generate` and `remove` are functions with arguments (GLsizei, GLuint*).
template <auto generate, auto remove>
class GlObject {
  public:
    explicit GlObject(const GladGLContext& gl) : gl_(&gl) { (gl.*generate)(1, &name_); }
    ~GlObject() {
        if (name_ != 0) (gl_->*remove)(1, &name_);
    }
    GlObject(GlObject&& other) noexcept : gl_(other.gl_), name_(std::exchange(other.name_, 0)) {}
    GlObject& operator=(GlObject&& other) noexcept {
        std::swap(gl_, other.gl_);
        std::swap(name_, other.name_);
        return *this;
    }
    GLuint name() const { return name_; }

  private:
    const GladGLContext* gl_;
    GLuint name_ = 0;
};

using GlBuffer = GlObject<&GladGLContext::GenBuffers, &GladGLContext::DeleteBuffers>;
using GlTexture = GlObject<&GladGLContext::GenTextures, &GladGLContext::DeleteTextures>;
using GlFramebuffer = GlObject<&GladGLContext::GenFramebuffers, &GladGLContext::DeleteFramebuffers>;
using GlVertexArray = GlObject<&GladGLContext::GenVertexArrays, &GladGLContext::DeleteVertexArrays>;
using GlQuery = GlObject<&GladGLContext::GenQueries, &GladGLContext::DeleteQueries>;

/// A linked program.
class GlProgram {
  public:
    /// `captured` names the outputs that transform feedback writes, one after the other. Throws std::runtime_error with
    /// the driver's log if a shader does not compile or link.
    GlProgram(const GladGLContext& gl, const std::string& vertex, const std::string& fragment,
              const std::vector<const char*>& captured = {});
    ~GlProgram();
    GlProgram(const GlProgram&) = delete;
    GlProgram& operator=(const GlProgram&) = delete;

    GLuint name() const { return name_; }
    /// The location of a uniform. -1, which OpenGL ignores, if the program does not use the uniform.
    GLint uniform(const char* name) const { return gl_.GetUniformLocation(name_, name); }

  private:
    const GladGLContext& gl_;
    GLuint name_ = 0;
};

}  // namespace glsort::demo
