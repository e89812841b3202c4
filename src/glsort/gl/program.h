#pragma once

#include <glsort/gl/api.h>
#include <glsort/gl/program_entry.h>

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

    /// The whole text, with a `#line` directive before each part. A part is a source string of GLSL. The number of a
    /// part's first line is one past a multiple of 10000, and no two parts share a line number.
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

/// The texts of a program: those of a vertex and a fragment shader, or of a compute shader.
struct ProgramSource {
    struct Stage {
        GLenum kind = 0;  ///< GL_VERTEX_SHADER, ...
        ShaderSource source;
    };
    std::vector<Stage> stages;
    Varyings varyings = {};
    std::string label;  ///< For frame debuggers (`set_label`).

    static ProgramSource graphics(ShaderSource vertex, ShaderSource fragment, Varyings varyings = {});
    static ProgramSource compute(ShaderSource source);

    /// All that determines the program.
    std::string text() const;
};

/// A linked program object.
class Program : public ShaderObject<&GladGLContext::DeleteProgram> {
  public:
    using ShaderObject::ShaderObject;

    /// Compiles and links. Throws `Error` with the compiler's message and the library's file and line.
    static Program make(const std::shared_ptr<const Api>& api, ProgramSource source);
    static Program graphics(const std::shared_ptr<const Api>& api, ShaderSource vertex, ShaderSource fragment) {
        return make(api, ProgramSource::graphics(std::move(vertex), std::move(fragment)));
    }
    static Program compute(const std::shared_ptr<const Api>& api, ShaderSource source) {
        return make(api, ProgramSource::compute(std::move(source)));
    }

    GLint uniform(const char* name) const { return api().GetUniformLocation(this->name(), name); }
};

/// A program that the driver may still be compiling. A driver may compile several programs in parallel. The first query
/// of a program waits for that program.
class IssuedProgram {
  public:
    /// Takes the program from the caller's binaries, or begins to compile and link. Throws only what the caller's
    /// `load` throws. `finish` reports errors of the driver.
    IssuedProgram(std::shared_ptr<const Api> api, ProgramSource source);

    /// Whether `finish` does not wait. True if the driver cannot tell.
    bool is_done() const;
    /// Returns the program and leaves none here. Waits for the driver. Throws `Error` with the compiler's message and
    /// the library's file and line; the call may then be repeated.
    Program finish();
    /// Stores the finished program among the caller's binaries, unless the program comes from there. Best called after
    /// the program's first use: a driver may finish the machine code only then.
    void store(const Program& program) const;
    /// Whether `store` does something.
    bool is_to_be_stored() const { return compiled_ && ProgramEntry::is_kept(*api_); }

  private:
    using Shader = ShaderObject<&GladGLContext::DeleteShader>;

    void compile();

    std::shared_ptr<const Api> api_;
    Program program_;
    ProgramSource source_;
    ProgramEntry entry_;
    std::vector<Shader> shaders_;  ///< One for each stage. None if the program was loaded, or is finished.
    bool compiled_ = false;        ///< Whether the program was not loaded.
};

}  // namespace glsort::gl
