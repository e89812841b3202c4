#include "example.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace glsort::example {

demo::GlFunction get_proc_address(const char* name) {
    return demo::HeadlessContext::get_proc_address()(name);
}

Context::Context() : headless_({.major = 3, .minor = 3}) {
    if (gladLoadGLContext(&gl_, get_proc_address) == 0) throw std::runtime_error("OpenGL could not be loaded");
}

std::vector<std::uint32_t> Context::read(const BufferSlice& slice, std::size_t words) const {
    std::vector<std::uint32_t> found(words);
    // The sorts name the readers of a renderer. This reader needs a barrier, where there are barriers.
    if (gl_.MemoryBarrier != nullptr) gl_.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    gl_.BindBuffer(GL_COPY_READ_BUFFER, slice.name);
    gl_.GetBufferSubData(GL_COPY_READ_BUFFER, static_cast<GLintptr>(slice.offset), static_cast<GLsizeiptr>(4 * words),
                         found.data());
    demo::check_gl(gl_, "as a buffer was read");
    return found;
}

std::vector<std::array<std::uint32_t, 2>> Context::draw(const std::string& vertex_shader, std::uint32_t indices,
                                                        std::uint32_t count) {
    const GLuint shader = gl_.CreateShader(GL_VERTEX_SHADER);
    const char* text = vertex_shader.c_str();
    gl_.ShaderSource(shader, 1, &text, nullptr);
    gl_.CompileShader(shader);
    const GLuint program = gl_.CreateProgram();
    gl_.AttachShader(program, shader);
    const char* captured = "item";
    gl_.TransformFeedbackVaryings(program, 1, &captured, GL_INTERLEAVED_ATTRIBS);
    gl_.LinkProgram(program);
    GLint linked = GL_FALSE;
    gl_.GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked == GL_FALSE) {
        // Which of the two logs has the reason depends on the driver.
        std::string log(8192, '\0');
        GLsizei of_shader = 0;
        GLsizei of_program = 0;
        gl_.GetShaderInfoLog(shader, 4096, &of_shader, log.data());
        gl_.GetProgramInfoLog(program, 4096, &of_program, log.data() + of_shader);
        log.resize(static_cast<std::size_t>(of_shader + of_program));
        throw std::runtime_error("this vertex shader does not compile: " + log + "\n" + vertex_shader);
    }

    const std::uint32_t target = room(2 * std::size_t{count});
    // Without a window, a draw needs a framebuffer, even if no pixel is drawn.
    GLuint framebuffer = 0;
    GLuint pixel = 0;
    gl_.GenRenderbuffers(1, &pixel);
    gl_.BindRenderbuffer(GL_RENDERBUFFER, pixel);
    gl_.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 1, 1);
    gl_.GenFramebuffers(1, &framebuffer);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl_.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, pixel);
    GLuint vertex_array = 0;
    gl_.GenVertexArrays(1, &vertex_array);
    gl_.BindVertexArray(vertex_array);
    gl_.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
    gl_.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, target);
    gl_.UseProgram(program);
    gl_.Enable(GL_RASTERIZER_DISCARD);
    gl_.BeginTransformFeedback(GL_POINTS);
    gl_.DrawElements(GL_POINTS, static_cast<GLsizei>(count), GL_UNSIGNED_INT, nullptr);
    gl_.EndTransformFeedback();
    demo::check_gl(gl_, "as the order was drawn");
    gl_.DeleteVertexArrays(1, &vertex_array);
    gl_.DeleteFramebuffers(1, &framebuffer);
    gl_.DeleteRenderbuffers(1, &pixel);
    gl_.DeleteProgram(program);
    gl_.DeleteShader(shader);

    const std::vector<std::uint32_t> words = read({target}, 2 * std::size_t{count});
    std::vector<std::array<std::uint32_t, 2>> items;
    for (std::size_t i = 0; i < words.size(); i += 2)
        items.push_back({words[i], words[i + 1]});
    return items;
}

int run(int (*body)()) {
    try {
        return body();
    } catch (const std::exception& error) {
        std::fputs(fmt::format("{}\n", error.what()).c_str(), stderr);
        return 1;
    }
}

int conclude(const SceneSorter& sorter, bool right, const std::string& text) {
    std::puts(fmt::format("{} ({}){}", text, to_string(sorter.spec().backend), right ? "" : ": WRONG").c_str());
    return right ? 0 : 1;
}

}  // namespace glsort::example
