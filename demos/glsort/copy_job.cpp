#include "copy_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "support/gl_buffer.h"

namespace glsort::demo {
namespace {

class HostCopy : public Timed {
  public:
    explicit HostCopy(std::uint64_t bytes) : from_(bytes, 1), to_(bytes, 2) {}
    void run() override { std::memcpy(to_.data(), from_.data(), from_.size()); }

  private:
    std::vector<unsigned char> from_;
    std::vector<unsigned char> to_;
};

// A linked program of the shaders. Throws std::runtime_error with the driver's message.
class CopyProgram {
  public:
    struct Shader {
        GLenum type;
        const char* source;
    };

    /// `heading` comes before each source.
    CopyProgram(const GladGLContext& gl, const char* heading, std::initializer_list<Shader> shaders)
        : gl_(gl), name_(gl.CreateProgram()) {
        for (const Shader& shader : shaders) {
            const GLuint name = gl_.CreateShader(shader.type);
            const char* const parts[] = {heading, shader.source};
            gl_.ShaderSource(name, 2, parts, nullptr);
            gl_.CompileShader(name);
            gl_.AttachShader(name_, name);
            gl_.DeleteShader(name);  // Lives as long as the program.
        }
        gl_.LinkProgram(name_);
        GLint linked = GL_FALSE;
        gl_.GetProgramiv(name_, GL_LINK_STATUS, &linked);
        if (linked == GL_TRUE) return;
        char log[1024] = "";
        gl_.GetProgramInfoLog(name_, sizeof log, nullptr, log);
        gl_.DeleteProgram(name_);
        throw std::runtime_error(fmt::format("the program that copies does not link: {}", log));
    }
    ~CopyProgram() { gl_.DeleteProgram(name_); }
    CopyProgram(const CopyProgram&) = delete;
    CopyProgram& operator=(const CopyProgram&) = delete;

    GLuint name() const { return name_; }

  private:
    const GladGLContext& gl_;
    GLuint name_;
};

// Words that differ from place to place, so that a copy that leaves out places is found.
std::vector<std::uint32_t> numbered(std::uint64_t words) {
    std::vector<std::uint32_t> list(words);
    std::iota(list.begin(), list.end(), 1u);
    return list;
}

class BufferCopy : public Timed {
  public:
    BufferCopy(const GladGLContext& gl, std::uint64_t words)
        : gl_(gl), from_(gl, numbered(words)), to_(gl, std::vector<std::uint32_t>(words)) {}
    void run() override { to_.copy_from(from_); }
    void finish() override { gl_.Finish(); }
    bool is_right() const { return to_.download() == from_.download(); }

  protected:
    const GladGLContext& gl_;
    GlBuffer from_;
    GlBuffer to_;
};

constexpr const char* compute_source = R"(layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer From { uvec4 from[]; };
layout(std430, binding = 1) writeonly buffer To { uvec4 to[]; };
void main() {
    uint count = uint(from.length());
    uint step = gl_NumWorkGroups.x * 256u;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += step) to[i] = from[i];
}
)";

// Four words an invocation, several times for large buffers. Whole groups of four words only.
class ComputeCopy : public BufferCopy {
  public:
    ComputeCopy(const GladGLContext& gl, std::uint64_t words)
        : BufferCopy(gl, words), program_(gl, "#version 430 core\n", {{GL_COMPUTE_SHADER, compute_source}}) {
        constexpr std::uint64_t most_groups = 65535;  // What every driver has.
        groups_ = static_cast<GLuint>(std::clamp<std::uint64_t>(words / 4 / 256, 1, most_groups));
    }
    void run() override {
        gl_.UseProgram(program_.name());
        gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, from_.name());
        gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, to_.name());
        gl_.DispatchCompute(groups_, 1, 1);
        gl_.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
        gl_.UseProgram(0);
    }

  private:
    CopyProgram program_;
    GLuint groups_;
};

constexpr const char* es_heading =
    "#version 300 es\nprecision highp float;\nprecision highp int;\nprecision highp usampler2D;\n";
constexpr const char* vertex_source = R"(void main() {
    // One triangle that covers the picture.
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
)";
constexpr const char* fragment_source = R"(uniform usampler2D from;
out uvec4 to;
void main() {
    to = texelFetch(from, ivec2(gl_FragCoord.xy), 0);
}
)";

class TextureCopy : public Timed {
  public:
    TextureCopy(const GladGLContext& gl, Api api, const TextureView& shape, std::uint32_t words)
        : gl_(gl),
          shape_(shape),
          count_(shape.width * shape.height),
          from_(gl, shape, words),
          to_(gl, shape, words),
          program_(gl, api == Api::gl ? "#version 330 core\n" : es_heading,
                   {{GL_VERTEX_SHADER, vertex_source}, {GL_FRAGMENT_SHADER, fragment_source}}) {
        from_.upload(numbered(std::uint64_t{count_} * words));
        gl_.GenVertexArrays(1, &no_vertices_);
        gl_.GenFramebuffers(1, &framebuffer_);
        gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, to_.view().name, 0);
        gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
    }
    ~TextureCopy() override {
        gl_.DeleteFramebuffers(1, &framebuffer_);
        gl_.DeleteVertexArrays(1, &no_vertices_);
    }
    TextureCopy(const TextureCopy&) = delete;
    TextureCopy& operator=(const TextureCopy&) = delete;

    void run() override {
        gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        gl_.Viewport(0, 0, static_cast<GLsizei>(shape_.width), static_cast<GLsizei>(shape_.height));
        gl_.UseProgram(program_.name());
        gl_.ActiveTexture(GL_TEXTURE0);
        gl_.BindTexture(GL_TEXTURE_2D, from_.view().name);
        gl_.BindVertexArray(no_vertices_);
        gl_.DrawArrays(GL_TRIANGLES, 0, 3);
        gl_.BindVertexArray(0);
        gl_.BindTexture(GL_TEXTURE_2D, 0);
        gl_.UseProgram(0);
        gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
    }
    void finish() override { gl_.Finish(); }
    bool is_right() const { return to_.download(count_) == from_.download(count_); }

  private:
    const GladGLContext& gl_;
    TextureView shape_;
    std::uint32_t count_;
    GlTexture from_;
    GlTexture to_;
    CopyProgram program_;
    GLuint no_vertices_ = 0;
    GLuint framebuffer_ = 0;
};

template <class Copy>
void require_right(const Copy& copy) {
    if (!copy.is_right()) throw std::runtime_error("a copy is wrong; its time says nothing");
}

}  // namespace

bool CopyTimes::has_compute() const {
    return context_->context.api() == Api::gl && context_->context.version() >= 43;
}

std::unique_ptr<Timed> CopyTimes::some_work() const {
    constexpr std::uint64_t words = 1u << 24;
    // A copy without shaders may leave the multiprocessors idle.
    if (has_compute()) return std::make_unique<ComputeCopy>(context_->gl, words);
    return std::make_unique<BufferCopy>(context_->gl, words);
}

double CopyTimes::time(Timed& copy, const TimingOptions& options) {
    const double ms = median(queries_ ? queries_->time(copy, options) : time_with_clock(copy, options).ms);
    check_gl(context_->gl, "after a copy");
    return ms;
}

double CopyTimes::in_host_memory(std::uint64_t bytes, const TimingOptions& options) {
    if (const auto found = known_of_host_.find(bytes); found != known_of_host_.end()) return found->second;
    HostCopy copy(bytes);
    return known_of_host_[bytes] = median(time_with_clock(copy, options).ms);
}

double CopyTimes::in_buffers(std::uint64_t bytes, const TimingOptions& options) {
    const auto key = std::tuple(bytes, 0u);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    const GladGLContext& gl = context_->gl;
    // Whole groups of four words.
    const std::uint64_t words = std::max<std::uint64_t>((bytes + 15) / 16, 1) * 4;
    double ms = 0;
    {
        BufferCopy copy(gl, words);
        ms = time(copy, options);
        require_right(copy);
    }
    if (has_compute()) {
        GLint64 most = 0;
        gl.GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
        if (4 * words <= static_cast<std::uint64_t>(most)) {
            ComputeCopy copy(gl, words);
            ms = std::min(ms, time(copy, options));
            require_right(copy);
        }
    }
    return known_[key] = ms;
}

double CopyTimes::in_textures(std::uint64_t bytes, std::uint32_t texel_words, const TimingOptions& options) {
    const auto key = std::tuple(bytes, texel_words);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    const std::uint64_t texels = std::max<std::uint64_t>(bytes / (4 * texel_words), 1);
    // As wide as high, or nearly so: every driver has textures of these sides for what it can sort.
    TextureView shape;
    shape.width = 1;
    while (std::uint64_t{shape.width} * shape.width < texels)
        shape.width *= 2;
    shape.height = static_cast<std::uint32_t>((texels + shape.width - 1) / shape.width);
    TextureCopy copy(context_->gl, context_->context.api(), shape, texel_words);
    const double ms = time(copy, options);
    require_right(copy);
    return known_[key] = ms;
}

}  // namespace glsort::demo
