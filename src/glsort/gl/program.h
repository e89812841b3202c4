#pragma once

#include <glsort/gl/api.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace glsort::gl {

/// The text of a shader in parts. Each part has its own line numbers.
struct ShaderSource {
    struct Part {
        std::string name;  ///< The name in messages: `shaders/lib/copy.glsl`.
        std::string text;
    };
    std::string version;  ///< The `#version` line.
    std::vector<Part> parts;

    /// The whole text, with a `#line` directive before each part. A part is a source string. Its first line is one past
    /// a multiple of 10000, and no two parts share a line number.
    std::string text() const;
    /// Translates places in a driver's log to parts: `2:20012(5): error` becomes `shaders/lib/copy.glsl:12: error`.
    std::string explain(const std::string& log) const;
};

/// A shader or program object. Move-only. Deleted like the objects of objects.h.
template <void (*GladGLContext::*Delete)(GLuint)>
class ShaderObject {
  public:
    ShaderObject() = default;
    ShaderObject(std::shared_ptr<const Api> api, GLuint name) : api_(std::move(api)), name_(name) {}
    ~ShaderObject() {
        if (name_ != 0 && api_->may_delete()) (api_.get()->*Delete)(name_);
    }
    ShaderObject(ShaderObject&& other) noexcept : api_(std::move(other.api_)), name_(std::exchange(other.name_, 0)) {}
    ShaderObject& operator=(ShaderObject&& other) noexcept {
        std::swap(api_, other.api_);
        std::swap(name_, other.name_);
        return *this;
    }

    /// 0: no object.
    GLuint name() const { return name_; }
    const Api& api() const { return *api_; }

  private:
    std::shared_ptr<const Api> api_;
    GLuint name_ = 0;
};

/// Outputs of a vertex shader that transform feedback captures.
struct Varyings {
    std::vector<std::string> names = {};
    /// Whether all go to one buffer, vertex by vertex. Otherwise each has a buffer of its own.
    bool interleaved = false;
};

/// A linked program object.
class Program : public ShaderObject<&GladGLContext::DeleteProgram> {
  public:
    using ShaderObject::ShaderObject;

    /// Links a vertex and a fragment shader. Throws `Error` with the compiler's message and the library's file and
    /// line.
    static Program graphics(const std::shared_ptr<const Api>& api, const ShaderSource& vertex,
                            const ShaderSource& fragment, const Varyings& varyings = {});
    static Program compute(const std::shared_ptr<const Api>& api, const ShaderSource& source);

    GLint uniform(const char* name) const { return api().GetUniformLocation(this->name(), name); }
};

/// A program that the driver may still be compiling. A driver may compile several programs in parallel. The first query
/// of a program waits for that program.
class IssuedProgram {
  public:
    /// Begin to compile and link, as the functions of `Program` do. Do not throw: `finish` reports errors.
    static IssuedProgram graphics(const std::shared_ptr<const Api>& api, ShaderSource vertex, ShaderSource fragment,
                                  const Varyings& varyings = {});
    static IssuedProgram compute(const std::shared_ptr<const Api>& api, ShaderSource source);

    /// Returns the program and leaves none here. Waits for the driver. Throws `Error` with the compiler's message and
    /// the library's file and line; the call may then be repeated.
    Program finish();

  private:
    struct Shader {
        ShaderObject<&GladGLContext::DeleteShader> object;
        ShaderSource source;
    };

    explicit IssuedProgram(const std::shared_ptr<const Api>& api);
    void attach(const std::shared_ptr<const Api>& api, GLenum stage, ShaderSource source);
    void link() const;

    Program program_;
    std::vector<Shader> shaders_;
};

}  // namespace glsort::gl
