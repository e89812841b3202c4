#pragma once

#include <glsort/gl/api.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace glsort::gl {

/// A shader's text in parts, each with line numbers of its own.
struct ShaderSource {
    struct Part {
        std::string name;  ///< What a message calls it: `shaders/lib/copy.glsl`.
        std::string text;
    };
    std::string version;  ///< The `#version` line.
    std::vector<Part> parts;

    /// The whole text, a `#line` directive before each part. Line n of part p is line 10000 p + n of
    /// string p.
    std::string text() const;
    /// A driver's log with places as they are in the parts: `2:20012(5): error` becomes
    /// `shaders/lib/copy.glsl:12: error`.
    std::string explain(const std::string& log) const;
};

/// A shader or a program object; move-only. Deleted as the objects of objects.h are.
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

    /// 0 where there is none.
    GLuint name() const { return name_; }
    const Api& api() const { return *api_; }

  private:
    std::shared_ptr<const Api> api_;
    GLuint name_ = 0;
};

/// A linked program object.
class Program : public ShaderObject<&GladGLContext::DeleteProgram> {
  public:
    using ShaderObject::ShaderObject;

    /// A program of a vertex and a fragment shader. `varyings` are captured by transform feedback,
    /// each into a buffer of its own. Throws `Error` with the compiler's words and our file and line.
    static Program graphics(std::shared_ptr<const Api> api, const ShaderSource& vertex, const ShaderSource& fragment,
                            const std::vector<std::string>& varyings = {});
    static Program compute(std::shared_ptr<const Api> api, const ShaderSource& source);

    GLint uniform(const char* name) const { return api().GetUniformLocation(this->name(), name); }
};

/// A program that the driver compiles and links, and that nobody has asked for anything yet. A driver may compile
/// several of them at once, in threads of its own: the first question about one waits for that one.
class IssuedProgram {
  public:
    /// As those of `Program`, but these throw nothing.
    static IssuedProgram graphics(const std::shared_ptr<const Api>& api, ShaderSource vertex, ShaderSource fragment,
                                  const std::vector<std::string>& varyings = {});
    static IssuedProgram compute(const std::shared_ptr<const Api>& api, ShaderSource source);

    /// The program. Waits for the driver. Throws `Error` with the compiler's words and our file and line, and then may
    /// be asked again; once it has returned there is no program here.
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
