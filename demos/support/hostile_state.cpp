#include "support/hostile_state.h"

#include <array>
#include <random>
#include <sstream>
#include <stdexcept>

#include "support/state_settings.h"

namespace glsort::trial {

namespace {

using namespace settings;

void throw_on_error(const GladGLContext& gl, const char* where) {
    const GLenum error = gl.GetError();
    if (error == GL_NO_ERROR) return;
    std::ostringstream text;
    text << where << ": glGetError 0x" << std::hex << error;
    throw std::runtime_error(text.str());
}

constexpr const char* vertex_source = R"(
uniform float scale;
in vec4 place;
out float feedback;
void main() {
    feedback = scale * place.x;
    gl_Position = place;
    gl_PointSize = 1.0;
}
)";

constexpr const char* fragment_source = R"(
precision highp float;
in float feedback;
layout(location = 0) out vec4 colour;
void main() { colour = vec4(feedback); }
)";

GLuint compile(const GladGLContext& gl, GLenum stage, const char* source) {
    const GLuint shader = gl.CreateShader(stage);
    const char* parts[] = {is_es(gl) ? "#version 300 es\n" : "#version 330 core\n", source};
    gl.ShaderSource(shader, 2, parts, nullptr);
    gl.CompileShader(shader);
    return shader;
}

}  // namespace

// Builds the state of a DirtyState, part by part.
class DirtyState::Maker {
  public:
    Maker(DirtyState& owner, std::uint64_t seed, const DirtyOptions& options)
        : owner_(owner), gl_(owner.gl_), es_(is_es(owner.gl_)), random_(seed), options_(options) {}

    void make() {
        const auto part = [this](const char* name, void (Maker::*function)()) {
            (this->*function)();
            throw_on_error(gl_, name);
        };
        // Objects come first: later parts (pixel storage, unpack buffers) would change how objects are filled.
        if (chance()) part("DirtyState: framebuffers", &Maker::framebuffers);
        part("DirtyState: extensions", &Maker::extensions);
        const bool feedback = options_.active_transform_feedback && has(gl_, {40, 30});
        if (feedback || chance()) part("DirtyState: program", &Maker::program);
        if (chance()) part("DirtyState: vertex array", &Maker::vertex_array);
        if (chance()) part("DirtyState: images", &Maker::images);
        part("DirtyState: textures", &Maker::textures);
        if (chance()) part("DirtyState: transform feedback", &Maker::transform_feedback);
        part("DirtyState: buffers", &Maker::buffers);
        part("DirtyState: fragment operations", &Maker::fragment_operations);
        part("DirtyState: rasterisation", &Maker::rasterisation);
        part("DirtyState: viewports", &Maker::viewports);
        part("DirtyState: pixel storage", &Maker::pixel_storage);
        part("DirtyState: capabilities", &Maker::enable_all);
        if (options_.active_query) {
            GLuint query = 0;
            gl_.GenQueries(1, &query);
            owner_.queries_.push_back(query);
            gl_.BeginQuery(GL_ANY_SAMPLES_PASSED, query);
            owner_.active_.active_query = true;
        }
        if (feedback) {
            gl_.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER));
            gl_.BeginTransformFeedback(GL_POINTS);
            owner_.active_.active_transform_feedback = true;
        }
        throw_on_error(gl_, "DirtyState: queries and transform feedback");
    }

  private:
    template <typename T, std::size_t count>
    T pick(const std::array<T, count>& values) {
        return values[random_() % count];
    }
    GLfloat fraction() {  // Between 0 and 1, exact in 8 bits.
        return static_cast<GLfloat>(1 + random_() % 254) / 256.0f;
    }
    GLint small() { return static_cast<GLint>(1 + random_() % 9); }
    /// Whether the next setting becomes hostile.
    bool chance() { return static_cast<double>(random_() % 4096) < options_.share * 4096; }

    GLuint make_texture(GLenum target) {
        GLuint texture = 0;
        gl_.GenTextures(1, &texture);
        owner_.textures_.push_back(texture);
        gl_.BindTexture(target, texture);
        return texture;
    }

    GLuint make_buffer(GLenum target) {
        GLuint buffer = 0;
        gl_.GenBuffers(1, &buffer);
        owner_.buffers_.push_back(buffer);
        gl_.BindBuffer(target, buffer);
        gl_.BufferData(target, buffer_size, nullptr, GL_STATIC_DRAW);
        return buffer;
    }

    void framebuffers() {
        for (const GLenum target : std::array<GLenum, 2>{GL_READ_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER}) {
            GLuint framebuffer = 0;
            gl_.GenFramebuffers(1, &framebuffer);
            owner_.framebuffers_.push_back(framebuffer);
            gl_.BindFramebuffer(target, framebuffer);
            for (GLuint i = 0; i < 2; ++i) {
                const GLuint texture = make_texture(GL_TEXTURE_2D);
                gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
                gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
                gl_.FramebufferTexture2D(target, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, texture, 0);
            }
            GLuint renderbuffer = 0;
            gl_.GenRenderbuffers(1, &renderbuffer);
            owner_.renderbuffers_.push_back(renderbuffer);
            gl_.BindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
            gl_.RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, 16, 16);
            gl_.FramebufferRenderbuffer(target, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, renderbuffer);
        }
        constexpr GLenum second[] = {GL_NONE, GL_COLOR_ATTACHMENT1};
        gl_.DrawBuffers(2, second);
        gl_.ReadBuffer(GL_COLOR_ATTACHMENT1);
    }

    void program() {
        const GLuint vertex = compile(gl_, GL_VERTEX_SHADER, vertex_source);
        const GLuint fragment = compile(gl_, GL_FRAGMENT_SHADER, fragment_source);
        const GLuint program = gl_.CreateProgram();
        owner_.programs_.push_back(program);
        gl_.AttachShader(program, vertex);
        gl_.AttachShader(program, fragment);
        constexpr const char* varying = "feedback";
        gl_.TransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
        gl_.LinkProgram(program);
        gl_.DeleteShader(vertex);
        gl_.DeleteShader(fragment);
        gl_.UseProgram(program);
        gl_.Uniform1f(gl_.GetUniformLocation(program, "scale"), fraction());
        if (has(gl_, {41, 31})) {
            GLuint pipeline = 0;
            gl_.GenProgramPipelines(1, &pipeline);
            owner_.pipelines_.push_back(pipeline);
            gl_.BindProgramPipeline(pipeline);
        }
    }

    void vertex_array() {
        GLuint array = 0;
        gl_.GenVertexArrays(1, &array);
        owner_.vertex_arrays_.push_back(array);
        gl_.BindVertexArray(array);
        make_buffer(GL_ELEMENT_ARRAY_BUFFER);
        make_buffer(GL_ARRAY_BUFFER);
        const GLuint count = count_of(gl_, GL_MAX_VERTEX_ATTRIBS);
        for (GLuint i = 0; i < count; ++i) {
            gl_.VertexAttrib4f(i, fraction(), fraction(), fraction(), fraction());
            gl_.EnableVertexAttribArray(i);
            gl_.VertexAttribPointer(i, 3, GL_SHORT, GL_TRUE, 16, reinterpret_cast<const void*>(std::uintptr_t{4}));
            gl_.VertexAttribDivisor(i, static_cast<GLuint>(small()));
        }
    }

    void images() {
        if (!has(gl_, image_units)) return;
        const GLuint texture = make_texture(GL_TEXTURE_2D_ARRAY);
        gl_.TexStorage3D(GL_TEXTURE_2D_ARRAY, 2, GL_R32UI, 8, 8, 4);
        const GLuint count = count_of(gl_, GL_MAX_IMAGE_UNITS);
        for (GLuint i = 0; i < count; ++i)
            gl_.BindImageTexture(i, texture, 1, GL_FALSE, 1 + static_cast<GLint>(i % 3),
                                 pick(std::array<GLenum, 2>{GL_READ_WRITE, GL_WRITE_ONLY}), GL_R32UI);
    }

    void textures() {
        GLuint samplers[2] = {};
        gl_.GenSamplers(2, samplers);
        owner_.samplers_.assign(samplers, samplers + 2);
        for (const GLuint sampler : samplers) {
            // Filters that make an integer texture incomplete, and comparisons of a depth texture.
            gl_.SamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
            gl_.SamplerParameteri(sampler, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
            gl_.SamplerParameteri(sampler, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
        }
        const GLuint units = count_of(gl_, GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS);
        for (const TextureTarget& target : texture_targets) {
            if (!has(gl_, target.since)) continue;
            const GLuint textures[2] = {make_texture(target.target), make_texture(target.target)};
            for (GLuint unit = 0; unit < units; ++unit) {
                gl_.ActiveTexture(GL_TEXTURE0 + unit);
                if (chance()) gl_.BindTexture(target.target, textures[random_() % 2]);
            }
        }
        for (GLuint unit = 0; unit < units; ++unit)
            if (chance()) gl_.BindSampler(unit, samplers[random_() % 2]);
        gl_.ActiveTexture(GL_TEXTURE1 + static_cast<GLuint>(random_() % (units - 1)));
    }

    void transform_feedback() {
        if (!has(gl_, {40, 30})) return;
        GLuint object = 0;
        gl_.GenTransformFeedbacks(1, &object);
        owner_.transform_feedbacks_.push_back(object);
        gl_.BindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
    }

    void buffers() {
        for (const BufferTarget& target : buffer_targets)
            if (has(gl_, target.since) && chance()) make_buffer(target.target);
        const auto alignment = [this](GLenum target) {
            if (target == GL_UNIFORM_BUFFER) return std::max(integer(gl_, GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT), 4);
            if (target == GL_SHADER_STORAGE_BUFFER)
                return std::max(integer(gl_, GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT), 4);
            return 4;
        };
        for (const IndexedBufferTarget& target : indexed_buffer_targets) {
            if (!has(gl_, target.since)) continue;
            const GLint step = alignment(target.target);
            const GLuint count = count_of(gl_, target.count);
            const GLuint buffer = make_buffer(target.target);
            for (GLuint i = 0; i < count; ++i)
                if (chance())
                    gl_.BindBufferRange(target.target, i, buffer, GLintptr{step} * small(), GLsizeiptr{4} * small());
            if (chance()) make_buffer(target.target);  // Another buffer for the target itself.
        }
    }

    void fragment_operations() {
        using Enums = std::array<GLenum, 3>;
        constexpr Enums comparisons = {GL_NEVER, GL_GREATER, GL_EQUAL};
        constexpr Enums operations = {GL_REPLACE, GL_INCR, GL_INVERT};
        gl_.BlendColor(fraction(), fraction(), fraction(), fraction());
        blending();
        if (chance()) gl_.ColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
        const GLuint count = count_of(gl_, GL_MAX_DRAW_BUFFERS);
        for (GLuint i = 0; i < count; ++i) {
            const GLboolean green = i % 2 == 1 ? GL_TRUE : GL_FALSE;
            if (const auto mask = color_mask_indexed(gl_); mask != nullptr && chance())
                mask(i, GL_FALSE, green, GL_FALSE, GL_FALSE);
        }
        if (chance()) gl_.DepthFunc(pick(comparisons));
        if (chance()) gl_.DepthMask(GL_FALSE);
        for (const GLenum face : std::array<GLenum, 2>{GL_FRONT, GL_BACK}) {
            gl_.StencilFuncSeparate(face, pick(comparisons), small(), static_cast<GLuint>(small()));
            gl_.StencilOpSeparate(face, pick(operations), pick(operations), pick(operations));
            gl_.StencilMaskSeparate(face, static_cast<GLuint>(small()));
        }
        gl_.SampleCoverage(fraction(), GL_TRUE);
        if (has(gl_, {33, 31})) {
            const GLuint words = count_of(gl_, GL_MAX_SAMPLE_MASK_WORDS);
            for (GLuint i = 0; i < words; ++i)
                gl_.SampleMaski(i, static_cast<GLuint>(small()));
        }
        if (has(gl_, {40, 32})) gl_.MinSampleShading(fraction());
        gl_.ClearColor(fraction(), fraction(), fraction(), fraction());
        set_clear_depth(gl_, fraction());
        gl_.ClearStencil(small());
        if (es_) return;
        if (chance()) gl_.LogicOp(pick(Enums{GL_XOR, GL_CLEAR, GL_INVERT}));
        if (chance()) gl_.ClampColor(GL_CLAMP_READ_COLOR, pick(std::array<GLenum, 2>{GL_TRUE, GL_FALSE}));
    }

    void blending() {
        std::vector<GLenum> factors{GL_DST_COLOR, GL_SRC_ALPHA, GL_ONE_MINUS_DST_COLOR};
        // Factors of dual-source blending, which text renderers use.
        if (!es_ || gl_.EXT_blend_func_extended != 0)
            factors.insert(factors.end(), {GL_SRC1_COLOR, GL_ONE_MINUS_SRC1_COLOR, GL_SRC1_ALPHA});
        constexpr std::array<GLenum, 3> equations{GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MAX};
        const auto factor = [&] { return factors[random_() % factors.size()]; };
        if (chance()) gl_.BlendFuncSeparate(factor(), factor(), factor(), factor());
        // An advanced equation must be equal for colour and alpha.
        const bool advanced = gl_.KHR_blend_equation_advanced != 0 && random_() % 2 == 0;
        if (advanced)
            gl_.BlendEquation(pick(std::array<GLenum, 2>{GL_MULTIPLY_KHR, GL_SCREEN_KHR}));
        else if (chance())
            gl_.BlendEquationSeparate(pick(equations), pick(equations));
        const auto function = blend_function_indexed(gl_);
        const bool equations_indexed = has(gl_, indexed_blending) && !advanced;
        for (GLuint i = 0; i < count_of(gl_, GL_MAX_DRAW_BUFFERS); ++i) {
            if (function != nullptr && chance()) function(i, factor(), factor(), factor(), factor());
            if (equations_indexed && chance()) gl_.BlendEquationSeparatei(i, pick(equations), pick(equations));
        }
    }

    void rasterisation() {
        gl_.CullFace(pick(std::array<GLenum, 2>{GL_FRONT, GL_FRONT_AND_BACK}));
        if (chance()) gl_.FrontFace(GL_CW);
        gl_.PolygonOffset(fraction(), fraction());
        gl_.LineWidth(fraction());
        gl_.Hint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT, GL_NICEST);
        if (has(gl_, {40, 32})) gl_.PatchParameteri(GL_PATCH_VERTICES, 4 + small());
        if (es_) {
            gl_.Hint(GL_GENERATE_MIPMAP_HINT, GL_FASTEST);
            if (has(gl_, {never, 32})) gl_.PrimitiveBoundingBox(-0.5f, -0.25f, -0.5f, 0.5f, 0.5f, 0.25f, 0.5f, 2.0f);
            return;
        }
        gl_.Hint(GL_LINE_SMOOTH_HINT, GL_FASTEST);
        gl_.Hint(GL_POLYGON_SMOOTH_HINT, GL_NICEST);
        gl_.Hint(GL_TEXTURE_COMPRESSION_HINT, GL_FASTEST);
        constexpr std::array<GLenum, 2> modes{GL_LINE, GL_POINT};
        if (chance()) gl_.PolygonMode(GL_FRONT_AND_BACK, pick(modes));
        // In core profiles both faces share one mode.
        if (is_compatibility(gl_) && chance()) gl_.PolygonMode(pick(std::array<GLenum, 2>{GL_FRONT, GL_BACK}), GL_FILL);
        gl_.PointSize(1.0f + fraction());
        gl_.PointParameterf(GL_POINT_FADE_THRESHOLD_SIZE, fraction());
        gl_.PointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
        if (chance()) gl_.ProvokingVertex(GL_FIRST_VERTEX_CONVENTION);
        gl_.PrimitiveRestartIndex(static_cast<GLuint>(small()));
        if (has(gl_, {40, never})) {
            const GLfloat levels[4] = {2.0f, 3.0f, 4.0f, 5.0f};
            gl_.PatchParameterfv(GL_PATCH_DEFAULT_INNER_LEVEL, levels);
            gl_.PatchParameterfv(GL_PATCH_DEFAULT_OUTER_LEVEL, levels);
        }
        if (has(gl_, {46, never})) gl_.PolygonOffsetClamp(fraction(), fraction(), fraction());
    }

    void viewports() {
        gl_.Viewport(small(), small(), 3 + small(), 3 + small());
        gl_.Scissor(small(), small(), 3 + small(), 3 + small());
        set_depth_range(gl_, 0.25f, 0.5f + 0.25f * fraction());
        const ViewportArray array(gl_);
        if (!array) return;
        const GLuint count = count_of(gl_, GL_MAX_VIEWPORTS);
        for (GLuint i = 0; i < count; ++i) {
            const GLfloat shift = static_cast<GLfloat>(i);
            if (chance()) array.viewport(i, shift, 1.5f, 20.0f + shift, 7.25f);
            if (chance()) array.scissor(i, small(), static_cast<GLint>(i), 30 + small(), 2);
            // A sort uses viewport 0. The sort must not change the scissor tests of other viewports by an enable for
            // all.
            if (i > 0 && random_() % 2 == 0) array.disable(GL_SCISSOR_TEST, i);
            if (!es_) gl_.DepthRangeIndexed(i, 0.5, 0.125);
        }
    }

    void pixel_storage() {
        for (const PixelStore& store : pixel_stores)
            if (has(gl_, store.since) && chance()) gl_.PixelStorei(store.value, pick(store.odd));
    }

    void enable_all() {
        for (const Capability& capability : capabilities)
            if (has(gl_, capability.since) && chance() && (options_.compiled_in || !capability.compiled_in))
                set_enabled(gl_, capability.value, !capability.initially);
        // Draw buffers get different values, except at a share of 1.
        if (enable_indexed(gl_) != nullptr)
            for (GLuint i = 1; i < count_of(gl_, GL_MAX_DRAW_BUFFERS); ++i)
                (chance() ? enable_indexed(gl_) : disable_indexed(gl_))(GL_BLEND, i);
        if (es_) return;
        const GLuint planes = count_of(gl_, GL_MAX_CLIP_DISTANCES);
        for (GLuint i = 0; i < planes; ++i)
            if (chance()) gl_.Enable(GL_CLIP_DISTANCE0 + i);
    }

    void extensions() {
        for (const ExtensionState& state : extension_states())
            if (state.is_there(gl_) && chance()) state.make_hostile(gl_, random_);
    }

    static constexpr GLsizeiptr buffer_size = 16384;

    DirtyState& owner_;
    const GladGLContext& gl_;
    bool es_;
    std::mt19937_64 random_;
    DirtyOptions options_;
};

DirtyState::DirtyState(const GladGLContext& gl, std::uint64_t seed, const DirtyOptions& options) : gl_(gl) {
    save_boxes();
    for (std::size_t i = 0; i < stencil_masks.size(); ++i)
        gl_.GetIntegerv(stencil_masks[i], &stencil_masks_[i]);
    try {
        Maker(*this, seed, options).make();
    } catch (...) {
        restore();
        throw;
    }
}

void DirtyState::save_boxes() {
    const ViewportArray array(gl_);
    viewports_.resize(array ? count_of(gl_, GL_MAX_VIEWPORTS) : 1);
    scissors_.resize(viewports_.size());
    if (!array) {
        gl_.GetFloatv(GL_VIEWPORT, viewports_[0].data());
        gl_.GetIntegerv(GL_SCISSOR_BOX, scissors_[0].data());
        return;
    }
    for (GLuint i = 0; i < viewports_.size(); ++i) {
        array.get_floats(GL_VIEWPORT, i, viewports_[i].data());
        gl_.GetIntegeri_v(GL_SCISSOR_BOX, i, scissors_[i].data());
    }
}

void DirtyState::restore_boxes() const {
    const ViewportArray array(gl_);
    for (GLuint i = 0; i < viewports_.size(); ++i) {
        const auto& v = viewports_[i];
        const auto& s = scissors_[i];
        if (array) {
            array.viewport(i, v[0], v[1], v[2], v[3]);
            array.scissor(i, s[0], s[1], s[2], s[3]);
        } else {
            gl_.Viewport(static_cast<GLint>(v[0]), static_cast<GLint>(v[1]), static_cast<GLsizei>(v[2]),
                         static_cast<GLsizei>(v[3]));
            gl_.Scissor(s[0], s[1], s[2], s[3]);
        }
    }
}

DirtyState::~DirtyState() {
    restore();
}

void DirtyState::restore() {
    if (restored_) return;
    restored_ = true;
    if (active_.active_transform_feedback) gl_.EndTransformFeedback();
    if (active_.active_query) gl_.EndQuery(GL_ANY_SAMPLES_PASSED);
    reset_state(gl_);
    restore_boxes();
    for (const GLenum face : std::array<GLenum, 2>{GL_FRONT, GL_BACK}) {
        const std::size_t first = face == GL_FRONT ? 0 : 2;
        gl_.StencilFuncSeparate(face, GL_ALWAYS, 0, static_cast<GLuint>(stencil_masks_[first]));
        gl_.StencilMaskSeparate(face, static_cast<GLuint>(stencil_masks_[first + 1]));
    }

    const auto destroy = [](auto function, const std::vector<GLuint>& names) {
        if (!names.empty()) function(static_cast<GLsizei>(names.size()), names.data());
    };
    destroy(gl_.DeleteTextures, textures_);
    destroy(gl_.DeleteBuffers, buffers_);
    destroy(gl_.DeleteSamplers, samplers_);
    destroy(gl_.DeleteFramebuffers, framebuffers_);
    destroy(gl_.DeleteRenderbuffers, renderbuffers_);
    destroy(gl_.DeleteVertexArrays, vertex_arrays_);
    destroy(gl_.DeleteTransformFeedbacks, transform_feedbacks_);
    destroy(gl_.DeleteProgramPipelines, pipelines_);
    destroy(gl_.DeleteQueries, queries_);
    for (const GLuint program : programs_)
        gl_.DeleteProgram(program);
}

DirtyState dirty_state(const GladGLContext& gl, std::uint64_t seed, const DirtyOptions& options) {
    return DirtyState(gl, seed, options);
}

}  // namespace glsort::trial
