#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "support/gl_contexts.h"

/// Watches the library's calls of OpenGL. The loader returns the functions of the current TestContext, except functions
/// that a test counts, tracks or replaces.

namespace glsort::test {

/// Usage:
///
///     GlSpy spy(context);
///     spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
///     Sorter sorter(spec, spy.loader());
///     CHECK(spy.calls("glLinkProgram") > 0);
///
/// One spy at a time in a thread. Functions from its loader work only during the lifetime of the spy.
class GlSpy {
  public:
    explicit GlSpy(const TestContext& context) : context_(context) { current() = this; }
    ~GlSpy() { current() = nullptr; }
    GlSpy(const GlSpy&) = delete;
    GlSpy& operator=(const GlSpy&) = delete;

    static demo::GetProcAddress loader() { return &load; }

    /// Counts the calls of a function.
    template <auto member>
    void count(const char* name) {
        Counted<member>::name = name;
        replace(name, &Counted<member>::call);
        calls_[name] = 0;
    }

    /// Keeps the names of all objects of one kind that are alive.
    template <auto generate, auto remove>
    void track(const char* kind) {
        using Kind = Tracked<generate, remove>;
        Kind::alive = &alive_[kind];
        replace("glGen" + std::string(kind), &Kind::make);
        replace("glDelete" + std::string(kind), &Kind::destroy);
    }

    /// Replaces OpenGL's function by `function`, which may call `GlSpy::gl()`.
    template <class Function>
    void replace(const std::string& name, Function* function) {
        replaced_[name] = reinterpret_cast<demo::GlFunction>(function);
    }

    std::size_t calls(const std::string& name) const { return calls_.at(name); }
    std::size_t all_calls() const {
        std::size_t sum = 0;
        for (const auto& [name, calls] : calls_)
            sum += calls;
        return sum;
    }
    /// All functions called since `forget`, with the numbers of calls: "glFinish 1, glFlush 2".
    std::string called() const {
        std::string text;
        for (const auto& [name, calls] : calls_)
            if (calls > 0) text += (text.empty() ? "" : ", ") + name + " " + std::to_string(calls);
        return text;
    }
    void forget() {
        for (auto& [name, calls] : calls_)
            calls = 0;
    }

    const std::set<GLuint>& alive(const std::string& kind) const { return alive_.at(kind); }
    std::size_t all_alive() const {
        std::size_t sum = 0;
        for (const auto& [kind, names] : alive_)
            sum += names.size();
        return sum;
    }

    /// OpenGL's own functions, for the spy of this thread.
    static const GladGLContext& gl() { return current()->context_.gl(); }

  private:
    template <auto member>
    struct Counted;
    template <class Result, class... Arguments, Result (GLAD_API_PTR* GladGLContext::*member)(Arguments...)>
    struct Counted<member> {
        static inline const char* name = "";
        static Result GLAD_API_PTR call(Arguments... arguments) {
            ++current()->calls_[name];
            return (gl().*member)(arguments...);
        }
    };

    template <auto generate, auto remove>
    struct Tracked {
        static inline std::set<GLuint>* alive = nullptr;
        static void GLAD_API_PTR make(GLsizei count, GLuint* names) {
            (gl().*generate)(count, names);
            alive->insert(names, names + count);
        }
        static void GLAD_API_PTR destroy(GLsizei count, const GLuint* names) {
            for (GLsizei i = 0; i < count; ++i)
                alive->erase(names[i]);
            (gl().*remove)(count, names);
        }
    };

    static GlSpy*& current() {
        thread_local GlSpy* spy = nullptr;
        return spy;
    }

    static demo::GlFunction load(const char* name) {
        const demo::GlFunction own = TestContext::get_proc_address()(name);
        if (own == nullptr) return nullptr;
        const auto found = current()->replaced_.find(name);
        return found == current()->replaced_.end() ? own : found->second;
    }

    const TestContext& context_;
    std::map<std::string, demo::GlFunction> replaced_;
    std::map<std::string, std::size_t> calls_;
    std::map<std::string, std::set<GLuint>> alive_;
};

/// Gives the driver another name, so that the library works around no fault of the driver.
inline void hide_renderer(GlSpy& spy) {
    spy.replace(
        "glGetString", +[](GLenum name) -> const GLubyte* {
            return name == GL_RENDERER ? reinterpret_cast<const GLubyte*>("a renderer") : GlSpy::gl().GetString(name);
        });
}

/// Counts the calls that make objects or allocate memory.
inline void spy_on_allocations(GlSpy& spy) {
    spy.count<&GladGLContext::BufferData>("glBufferData");
    spy.count<&GladGLContext::BufferStorage>("glBufferStorage");
    spy.count<&GladGLContext::TexImage2D>("glTexImage2D");
    spy.count<&GladGLContext::TexImage3D>("glTexImage3D");
    spy.count<&GladGLContext::GenBuffers>("glGenBuffers");
    spy.count<&GladGLContext::GenTextures>("glGenTextures");
    spy.count<&GladGLContext::GenFramebuffers>("glGenFramebuffers");
    spy.count<&GladGLContext::GenVertexArrays>("glGenVertexArrays");
    spy.count<&GladGLContext::CreateShader>("glCreateShader");
}

}  // namespace glsort::test
