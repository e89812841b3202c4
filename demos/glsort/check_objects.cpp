#include "check_objects.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace glsort::check {
namespace {

enum Kind {
    buffers,
    textures,
    samplers,
    framebuffers,
    renderbuffers,
    vertex_arrays,
    feedbacks,
    queries,
    pipelines,
    shaders,
    programs,
    kinds
};

constexpr std::array<std::string_view, kinds> names{
    "buffers", "textures",  "samplers", "framebuffers", "renderbuffers", "vertex arrays", "transform feedbacks",
    "queries", "pipelines", "shaders",  "programs"};

using Alive = std::array<std::set<GLuint>, kinds>;

// OpenGL's functions have no parameter for the context. The current context is therefore a global variable, too.
std::map<const void*, Alive> alive_in;
Alive* alive = nullptr;
std::uint64_t calls = 0;
demo::GetProcAddress loader_below = nullptr;

using Generate = void(GLAD_API_PTR*)(GLsizei, GLuint*);
using Remove = void(GLAD_API_PTR*)(GLsizei, const GLuint*);

template <Kind kind>
struct Named {
    static inline Generate generate = nullptr;
    static inline Remove remove = nullptr;
    static void GLAD_API_PTR make(GLsizei count, GLuint* made) {
        ++calls;
        generate(count, made);
        (*alive)[kind].insert(made, made + count);
    }
    static void GLAD_API_PTR destroy(GLsizei count, const GLuint* doomed) {
        ++calls;
        for (GLsizei i = 0; i < count; ++i)
            (*alive)[kind].erase(doomed[i]);
        remove(count, doomed);
    }
};

struct Shaders {
    static inline PFNGLCREATESHADERPROC create = nullptr;
    static inline PFNGLDELETESHADERPROC remove = nullptr;
    static GLuint GLAD_API_PTR make(GLenum stage) {
        ++calls;
        const GLuint made = create(stage);
        (*alive)[shaders].insert(made);
        return made;
    }
    static void GLAD_API_PTR destroy(GLuint doomed) {
        ++calls;
        (*alive)[shaders].erase(doomed);
        remove(doomed);
    }
};

struct Programs {
    static inline PFNGLCREATEPROGRAMPROC create = nullptr;
    static inline PFNGLDELETEPROGRAMPROC remove = nullptr;
    static GLuint GLAD_API_PTR make() {
        ++calls;
        const GLuint made = create();
        (*alive)[programs].insert(made);
        return made;
    }
    static void GLAD_API_PTR destroy(GLuint doomed) {
        ++calls;
        (*alive)[programs].erase(doomed);
        remove(doomed);
    }
};

// Stores OpenGL's own function in `kept`, and returns the counting function.
template <class Function>
demo::GlFunction counted(demo::GlFunction own, Function& kept, Function counting) {
    kept = reinterpret_cast<Function>(own);
    return reinterpret_cast<demo::GlFunction>(counting);
}

template <Kind kind>
demo::GlFunction named(std::string_view what, std::string_view suffix, demo::GlFunction own) {
    if (!what.ends_with(suffix)) return nullptr;
    what.remove_suffix(suffix.size());
    if (what == "glGen") return counted(own, Named<kind>::generate, Generate{&Named<kind>::make});
    if (what == "glDelete") return counted(own, Named<kind>::remove, Remove{&Named<kind>::destroy});
    return nullptr;
}

demo::GlFunction load(const char* name) {
    const demo::GlFunction own = loader_below(name);
    if (own == nullptr) return nullptr;
    const std::string_view what = name;
    if (what == "glCreateShader") return counted(own, Shaders::create, PFNGLCREATESHADERPROC{&Shaders::make});
    if (what == "glDeleteShader") return counted(own, Shaders::remove, PFNGLDELETESHADERPROC{&Shaders::destroy});
    if (what == "glCreateProgram") return counted(own, Programs::create, PFNGLCREATEPROGRAMPROC{&Programs::make});
    if (what == "glDeleteProgram") return counted(own, Programs::remove, PFNGLDELETEPROGRAMPROC{&Programs::destroy});
    for (const demo::GlFunction found :
         {named<buffers>(what, "Buffers", own), named<textures>(what, "Textures", own),
          named<samplers>(what, "Samplers", own), named<framebuffers>(what, "Framebuffers", own),
          named<renderbuffers>(what, "Renderbuffers", own), named<vertex_arrays>(what, "VertexArrays", own),
          named<feedbacks>(what, "TransformFeedbacks", own), named<queries>(what, "Queries", own),
          named<pipelines>(what, "ProgramPipelines", own)})
        if (found != nullptr) return found;
    return own;
}

}  // namespace

demo::GetProcAddress counting_loader(demo::GetProcAddress below) {
    loader_below = below;
    return &load;
}

void count_objects_of(const void* context) {
    alive = &alive_in[context];
}

std::string objects_alive(const void* context) {
    std::string text;
    const Alive& of_context = alive_in[context];
    for (std::size_t kind = 0; kind < kinds; ++kind)
        if (!of_context[kind].empty())
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", of_context[kind].size(), names[kind]);
    return text;
}

std::uint64_t object_calls() {
    return calls;
}

void delete_objects(const void* context) {
    const Alive doomed = std::exchange(alive_in[context], {});
    const auto all_of = [&doomed]<Kind kind>(std::integral_constant<Kind, kind>) {
        const std::vector<GLuint> names_of(doomed[kind].begin(), doomed[kind].end());
        if (!names_of.empty()) Named<kind>::remove(static_cast<GLsizei>(names_of.size()), names_of.data());
    };
    [&]<std::size_t... kind>(std::index_sequence<kind...>) {
        (all_of(std::integral_constant<Kind, static_cast<Kind>(kind)>()), ...);
    }
    (std::make_index_sequence<shaders>());
    for (const GLuint shader : doomed[shaders])
        Shaders::remove(shader);
    for (const GLuint program : doomed[programs])
        Programs::remove(program);
}

void forget_objects(const void* context) {
    alive_in[context] = {};
}

}  // namespace glsort::check
