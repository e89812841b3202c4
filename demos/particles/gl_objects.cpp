#include "gl_objects.h"

#include <algorithm>
#include <stdexcept>

namespace glsort::demo {

namespace {

std::string log_of(GLuint object, decltype(GladGLContext::GetShaderiv) get,
                   decltype(GladGLContext::GetShaderInfoLog) get_log) {
    GLint length = 0;
    get(object, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
    get_log(object, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(std::max(length, 0)));
    return log;
}

// Deletes the shader at the end of the scope. A program keeps the shaders that it was linked from.
class Shader {
  public:
    Shader(const GladGLContext& gl, GLenum stage, const std::string& source) : gl_(gl), name_(gl.CreateShader(stage)) {
        const char* text = source.c_str();
        gl.ShaderSource(name_, 1, &text, nullptr);
        gl.CompileShader(name_);
    }
    ~Shader() { gl_.DeleteShader(name_); }
    Shader(const Shader&) = delete;
    Shader& operator=(const Shader&) = delete;

    GLuint name() const { return name_; }
    std::string log() const { return log_of(name_, gl_.GetShaderiv, gl_.GetShaderInfoLog); }

  private:
    const GladGLContext& gl_;
    GLuint name_;
};

}  // namespace

GlProgram::GlProgram(const GladGLContext& gl, const std::string& vertex, const std::string& fragment,
                     const std::vector<const char*>& captured)
    : gl_(gl) {
    const Shader vertex_shader(gl, GL_VERTEX_SHADER, vertex);
    const Shader fragment_shader(gl, GL_FRAGMENT_SHADER, fragment);
    name_ = gl.CreateProgram();
    gl.AttachShader(name_, vertex_shader.name());
    gl.AttachShader(name_, fragment_shader.name());
    if (!captured.empty())
        gl.TransformFeedbackVaryings(name_, static_cast<GLsizei>(captured.size()), captured.data(),
                                     GL_INTERLEAVED_ATTRIBS);
    gl.LinkProgram(name_);
    GLint linked = GL_FALSE;
    gl.GetProgramiv(name_, GL_LINK_STATUS, &linked);
    if (linked == GL_TRUE) return;
    const std::string log = log_of(name_, gl.GetProgramiv, gl.GetProgramInfoLog);
    gl.DeleteProgram(name_);
    throw std::runtime_error("a shader of particles does not compile:\n" + vertex_shader.log() + fragment_shader.log() +
                             log);
}

GlProgram::~GlProgram() {
    gl_.DeleteProgram(name_);
}

}  // namespace glsort::demo
