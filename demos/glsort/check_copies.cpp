#include "check_copies.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "support/headless_context.h"

namespace glsort::check {
namespace {

constexpr const char* feedback_vertex = R"(
in uint word;
flat out uint result;
void main() {
    result = word;
    gl_Position = vec4(0.0);
    gl_PointSize = 1.0;
}
)";
constexpr const char* nothing_fragment = R"(
out vec4 colour;
void main() { colour = vec4(0.0); }
)";
constexpr const char* compute_text = R"(
layout(local_size_x = 128) in;
layout(std430, binding = 0) readonly buffer From { uint from[]; };
layout(std430, binding = 1) writeonly buffer To { uint to[]; };
uniform uint from_word, to_word, words;
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < words) to[to_word + i] = from[from_word + i];
}
)";
constexpr const char* triangle_vertex = R"(
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";
constexpr const char* fetch_fragment = R"(
uniform highp usampler2D from;
layout(location = 0) out highp uvec4 texel;
void main() { texel = texelFetch(from, ivec2(gl_FragCoord.xy), 0); }
)";
// The composed shader has a line that defines FORMAT before this text.
constexpr const char* store_text = R"(
layout(local_size_x = 8, local_size_y = 8) in;
uniform highp usampler2D from;
layout(FORMAT, binding = 0) writeonly uniform highp uimage2D to;
uniform ivec2 size;
void main() {
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(place, size))) imageStore(to, place, texelFetch(from, place, 0));
}
)";

bool is_renderer(const GladGLContext& gl, std::string_view name) {
    const auto* renderer = reinterpret_cast<const char*>(gl.GetString(GL_RENDERER));
    return renderer != nullptr && std::string_view(renderer).find(name) != std::string_view::npos;
}

}  // namespace

GLenum internal_format_of(std::uint32_t channels) {
    return channels == 1 ? GL_R32UI : channels == 2 ? GL_RG32UI : GL_RGBA32UI;
}

Copies::Copies(const GladGLContext& gl, InSharing in_sharing)
    : gl_(gl),
      es_(gl.ES_VERSION_3_0 != 0),
      is_zink_(is_renderer(gl, "zink")),
      is_angle_(is_renderer(gl, "ANGLE")),
      buffer_storage_(gl.BufferStorage),
      in_sharing_(std::move(in_sharing)) {
    // The function of the extension, which has another name.
    if (buffer_storage_ == nullptr)
        buffer_storage_ =
            reinterpret_cast<PFNGLBUFFERSTORAGEPROC>(demo::HeadlessContext::get_proc_address()("glBufferStorageEXT"));
}

void Copies::feedback(GLuint from, std::size_t from_word, GLuint to, std::size_t to_word, std::size_t words) {
    if (words == 0) return;
    if (feedback_ == 0) {
        feedback_ = link({compile(GL_VERTEX_SHADER, "330 core", "300 es", feedback_vertex),
                          compile(GL_FRAGMENT_SHADER, "330 core", "300 es", nothing_fragment)},
                         "result");
        gl_.GenVertexArrays(1, &array_);
        // Without a default framebuffer every draw needs a framebuffer, even a draw without fragments.
        gl_.GenTextures(1, &target_);
        gl_.BindTexture(GL_TEXTURE_2D, target_);
        gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl_.BindTexture(GL_TEXTURE_2D, 0);
    }
    const GLuint framebuffer = framebuffer_of(target_);
    gl_.BindVertexArray(array_);
    gl_.BindBuffer(GL_ARRAY_BUFFER, from);
    const GLint place = gl_.GetAttribLocation(feedback_, "word");
    const auto attribute = static_cast<GLuint>(place);
    gl_.EnableVertexAttribArray(attribute);
    gl_.VertexAttribIPointer(attribute, 1, GL_UNSIGNED_INT, 4, reinterpret_cast<const void*>(4 * from_word));
    gl_.BindBuffer(GL_ARRAY_BUFFER, 0);
    gl_.BindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, to, static_cast<GLintptr>(4 * to_word),
                        static_cast<GLsizeiptr>(4 * words));
    gl_.UseProgram(feedback_);
    gl_.Enable(GL_RASTERIZER_DISCARD);
    gl_.BeginTransformFeedback(GL_POINTS);
    gl_.DrawArrays(GL_POINTS, 0, static_cast<GLsizei>(words));
    gl_.EndTransformFeedback();
    gl_.Disable(GL_RASTERIZER_DISCARD);
    gl_.UseProgram(0);
    gl_.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    // Two faults of ANGLE (docs/driver-faults.md). An attribute that was disabled reads old storage of its buffer.
    // Storage blocks do not see what transform feedback wrote.
    if (!is_angle_) gl_.DisableVertexAttribArray(attribute);
    if (is_angle_ && gl_.MemoryBarrier != nullptr) gl_.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    gl_.BindVertexArray(0);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl_.DeleteFramebuffers(1, &framebuffer);
}

void Copies::compute(GLuint from, std::size_t from_word, GLuint to, std::size_t to_word, std::size_t words) {
    if (words == 0) return;
    if (compute_ == 0) compute_ = link({compile(GL_COMPUTE_SHADER, "430 core", "310 es", compute_text)}, nullptr);
    gl_.UseProgram(compute_);
    gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, from);
    gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, to);
    gl_.Uniform1ui(gl_.GetUniformLocation(compute_, "from_word"), static_cast<GLuint>(from_word));
    gl_.Uniform1ui(gl_.GetUniformLocation(compute_, "to_word"), static_cast<GLuint>(to_word));
    gl_.Uniform1ui(gl_.GetUniformLocation(compute_, "words"), static_cast<GLuint>(words));
    gl_.DispatchCompute(static_cast<GLuint>((words + 127) / 128), 1, 1);
    gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, 0);
    gl_.UseProgram(0);
}

void Copies::draw(GLuint from, GLuint to, std::uint32_t width, std::uint32_t height) {
    if (draw_ == 0) {
        draw_ = link({compile(GL_VERTEX_SHADER, "330 core", "300 es", triangle_vertex),
                      compile(GL_FRAGMENT_SHADER, "330 core", "300 es", fetch_fragment)},
                     nullptr);
    }
    GLint viewport[4] = {};
    gl_.GetIntegerv(GL_VIEWPORT, viewport);
    const GLuint framebuffer = framebuffer_of(to);
    GLuint array = 0;
    gl_.GenVertexArrays(1, &array);
    gl_.BindVertexArray(array);
    gl_.BindTexture(GL_TEXTURE_2D, from);
    gl_.BindSampler(0, sampler());
    gl_.UseProgram(draw_);
    gl_.Viewport(0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height));
    gl_.DrawArrays(GL_TRIANGLES, 0, 3);
    gl_.Viewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    gl_.UseProgram(0);
    gl_.BindSampler(0, 0);
    gl_.BindTexture(GL_TEXTURE_2D, 0);
    gl_.BindVertexArray(0);
    gl_.DeleteVertexArrays(1, &array);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
    gl_.DeleteFramebuffers(1, &framebuffer);
}

void Copies::store(GLuint from, GLuint to, std::uint32_t channels, std::uint32_t width, std::uint32_t height) {
    GLuint& program = store_[channels];
    if (program == 0) {
        const char* format = channels == 1 ? "r32ui" : channels == 2 ? "rg32ui" : "rgba32ui";
        const std::string text = std::string("#define FORMAT ") + format + store_text;
        program = link({compile(GL_COMPUTE_SHADER, "430 core", "310 es", text.c_str())}, nullptr);
    }
    gl_.UseProgram(program);
    gl_.Uniform2i(gl_.GetUniformLocation(program, "size"), static_cast<GLint>(width), static_cast<GLint>(height));
    gl_.BindTexture(GL_TEXTURE_2D, from);
    gl_.BindSampler(0, sampler());
    gl_.BindImageTexture(0, to, 0, GL_FALSE, 0, GL_WRITE_ONLY, internal_format_of(channels));
    gl_.DispatchCompute((width + 7) / 8, (height + 7) / 8, 1);
    gl_.BindImageTexture(0, 0, 0, GL_FALSE, 0, GL_READ_ONLY, es_ ? GL_R32UI : GL_R8);
    gl_.BindSampler(0, 0);
    gl_.BindTexture(GL_TEXTURE_2D, 0);
    gl_.UseProgram(0);
}

void Copies::elsewhere(const std::function<void(const GladGLContext&)>& action) const {
    settle_textures();
    const GLsync before = gl_.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl_.Flush();
    GLsync behind = nullptr;
    in_sharing_([&](const GladGLContext& gl) {
        gl.WaitSync(before, 0, GL_TIMEOUT_IGNORED);
        action(gl);
        behind = gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl.Flush();
    });
    gl_.WaitSync(behind, 0, GL_TIMEOUT_IGNORED);
    gl_.DeleteSync(before);
    gl_.DeleteSync(behind);
}

GLuint Copies::sampler() {
    if (sampler_ != 0) return sampler_;
    gl_.GenSamplers(1, &sampler_);
    gl_.SamplerParameteri(sampler_, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_.SamplerParameteri(sampler_, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return sampler_;
}

GLuint Copies::compile(GLenum stage, const char* gl_version, const char* es_version, const char* text) const {
    const std::string version = std::string("#version ") + (es_ ? es_version : gl_version) + "\n";
    const char* precision = es_ ? "precision highp float;\nprecision highp int;\n" : "";
    const char* parts[] = {version.c_str(), precision, text};
    const GLuint shader = gl_.CreateShader(stage);
    gl_.ShaderSource(shader, 3, parts, nullptr);
    gl_.CompileShader(shader);
    return shader;
}

GLuint Copies::link(std::initializer_list<GLuint> shaders, const char* varying) const {
    const GLuint program = gl_.CreateProgram();
    for (const GLuint shader : shaders) {
        gl_.AttachShader(program, shader);
        gl_.DeleteShader(shader);
    }
    if (varying != nullptr) gl_.TransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
    gl_.LinkProgram(program);
    GLint linked = 0;
    gl_.GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked == 0) {
        std::string log(1000, '\0');
        GLsizei length = 0;
        gl_.GetProgramInfoLog(program, static_cast<GLsizei>(log.size()), &length, log.data());
        log.resize(static_cast<std::size_t>(length));
        throw std::runtime_error("a shader of the self-test does not link: " + log);
    }
    return program;
}

GLuint Copies::framebuffer_of(GLuint texture) const {
    GLuint framebuffer = 0;
    gl_.GenFramebuffers(1, &framebuffer);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    return framebuffer;
}

}  // namespace glsort::check
