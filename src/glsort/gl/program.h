#pragma once

#include <glsort/gl/api.h>

#include <string>
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

/// A linked program object; move-only. Deleted as the objects of objects.h are.
class Program {
  public:
    Program() = default;
    ~Program();
    Program(Program&& other) noexcept;
    Program& operator=(Program&& other) noexcept;

    /// A program of a vertex and a fragment shader. `varyings` are captured by transform feedback,
    /// each into a buffer of its own. Throws `Error` with the compiler's words and our file and line.
    static Program graphics(std::shared_ptr<const Api> api, const ShaderSource& vertex,
                            const ShaderSource& fragment,
                            const std::vector<std::string>& varyings = {});
    static Program compute(std::shared_ptr<const Api> api, const ShaderSource& source);

    GLuint name() const { return name_; }
    GLint uniform(const char* name) const { return api_->GetUniformLocation(name_, name); }

  private:
    explicit Program(std::shared_ptr<const Api> api);
    void attach(GLenum stage, const ShaderSource& source);
    void link(const std::string& what);

    std::shared_ptr<const Api> api_;
    GLuint name_ = 0;
};

}  // namespace glsort::gl
