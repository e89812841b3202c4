#include "renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <glm/gtc/type_ptr.hpp>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "cpu_keys.h"
#include "shaders.h"
#include "support/gl_picture.h"

namespace glsort::demo {

namespace {

// The angle in [0, 2 pi). The sin() of shaders loses accuracy as its argument grows.
float angle(double radians) {
    constexpr double two_pi = 2.0 * std::numbers::pi;
    return static_cast<float>(radians - two_pi * std::floor(radians / two_pi));
}

}  // namespace

Renderer::Renderer(const GladGLContext& gl, Api api, const ParticleScene& scene, Sorter sorter)
    : gl_(gl),
      es_(api == Api::gles),
      elements_(gl, es_, scene),
      sorter_(std::move(sorter)),
      timers_{GpuTimer(gl, api), GpuTimer(gl, api), GpuTimer(gl, api)},
      key_program_(gl, shaders::key_vertex(api), shaders::key_fragment(api), {"key"}),
      sprite_program_(gl, shaders::sprite_vertex(api), shaders::sprite_fragment(api)),
      splat_program_(gl, shaders::splat_vertex(api), shaders::splat_fragment(api)),
      picture_program_(gl, shaders::picture_vertex(api), shaders::picture_fragment(api)),
      no_vertices_(gl),
      sprites_(gl),
      framebuffer_(gl) {
    float sizes[2] = {1.0f, 1.0f};
    gl.GetFloatv(es_ ? GL_ALIASED_POINT_SIZE_RANGE : GL_POINT_SIZE_RANGE, sizes);
    largest_sprite_ = std::min(sizes[1], 256.0f);
}

void Renderer::load(const ParticleScene& scene, Sorter sorter) {
    elements_ = Elements(gl_, es_, scene);
    sorter_ = std::move(sorter);
}

void Renderer::resize(int width, int height) {
    GLint largest = 0;
    gl_.GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (width < 1 || height < 1 || width > largest || height > largest)
        throw std::runtime_error(
            fmt::format("a picture of {}x{} pixels: the driver's limit is {}", width, height, largest));
    width_ = width;
    height_ = height;
    struct Format {
        GLint internal;
        GLenum type;
    };
    // Particles take sRGB: the format blends linearly, has enough steps of dark colours, and every version can draw to
    // it. Splats blend colours as displays take them. Many thin splats lose too much at 8 bits each, so 16-bit floats
    // come first. OpenGL ES 3.0 need not draw to floats.
    const std::vector<Format> formats =
        elements_.are_splats() ? std::vector<Format>{{GL_RGBA16F, GL_HALF_FLOAT}, {GL_RGBA8, GL_UNSIGNED_BYTE}}
                               : std::vector<Format>{{GL_SRGB8_ALPHA8, GL_UNSIGNED_BYTE}};
    GLenum status = GL_FRAMEBUFFER_UNSUPPORTED;
    for (const Format& format : formats) {
        gl_.BindTexture(GL_TEXTURE_2D, sprites_.name());
        gl_.TexImage2D(GL_TEXTURE_2D, 0, format.internal, width, height, 0, GL_RGBA, format.type, nullptr);
        gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
        gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, sprites_.name(), 0);
        status = gl_.CheckFramebufferStatus(GL_FRAMEBUFFER);
        gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
        if (status == GL_FRAMEBUFFER_COMPLETE) return;
    }
    throw std::runtime_error(
        fmt::format("the driver cannot draw to a picture of {}x{} pixels (status {:#x})", width, height, status));
}

void Renderer::set_movement(const GlProgram& program) {
    const Movement& movement = elements_.movement();
    const Motion& motion = movement.motion;
    gl_.UseProgram(program.name());
    gl_.UniformMatrix4fv(program.uniform("view"), 1, GL_FALSE, glm::value_ptr(view_));
    gl_.Uniform3f(program.uniform("flow"), movement.ring_radius, angle(motion.turn_speed * seconds_),
                  angle(movement.roll_speed * seconds_));
    gl_.Uniform3f(program.uniform("wave"), motion.wave_height, motion.wave_number, angle(motion.wave_speed * seconds_));
}

void Renderer::write_keys(double seconds, const Camera& camera, const FrameOptions& options) {
    seconds_ = seconds;
    view_ = camera.view();
    distance_ = camera.distance();
    if (options.key_maker == KeyMaker::gpu)
        write_keys_on_gpu(options.key);
    else
        write_keys_on_cpu(options.key);
}

void Renderer::write_keys_on_gpu(SortKey key) {
    timer(Stage::keys).begin();
    set_movement(key_program_);
    gl_.Uniform1f(key_program_.uniform("by_distance"), key == SortKey::distance ? 1.0f : 0.0f);
    // A draw needs a framebuffer, and there may be no window. Nothing is drawn to this framebuffer.
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    gl_.BindVertexArray(elements_.key_vertices());
    gl_.Enable(GL_RASTERIZER_DISCARD);
    gl_.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, elements_.keys());
    gl_.BeginTransformFeedback(GL_POINTS);
    gl_.DrawArrays(GL_POINTS, 0, static_cast<GLsizei>(elements_.count()));
    gl_.EndTransformFeedback();
    gl_.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl_.Disable(GL_RASTERIZER_DISCARD);
    gl_.BindVertexArray(0);
    timer(Stage::keys).end();
}

// Measures the time that the program waits, not the time that the GPU spends on the copy.
void Renderer::write_keys_on_cpu(SortKey key) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const std::vector<float> keys = cpu_keys(elements_.positions(), elements_.movement(), seconds_, view_, key);
    gl_.BindBuffer(GL_ARRAY_BUFFER, elements_.keys());
    // Replaces the whole buffer: a driver loses updates of a part (docs/driver-faults.md).
    gl_.BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(keys.size() * sizeof(float)), keys.data(), GL_DYNAMIC_COPY);
    gl_.BindBuffer(GL_ARRAY_BUFFER, 0);
    cpu_keys_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void Renderer::sort() {
    timer(Stage::sort).begin();
    sorter_.sort({.name = elements_.keys()}, {.name = elements_.indices()}, elements_.count(),
                 Readers::index | Readers::vertex | Readers::transfer);
    timer(Stage::sort).end();
}

void Renderer::draw(const Camera& camera, const FrameOptions& options, float covered) {
    const float free_left = covered * static_cast<float>(width_);
    line_.reset();
    if (options.split)
        line_ = static_cast<int>(free_left + options.split_at * (static_cast<float>(width_) - free_left) + 0.5f);

    timer(Stage::draw).begin();
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    gl_.Viewport(0, 0, width_, height_);
    gl_.ClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    gl_.Clear(GL_COLOR_BUFFER_BIT);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // The operator "over", with premultiplied colours.
    if (!es_) {                                     // In ES both are always on.
        gl_.Enable(GL_PROGRAM_POINT_SIZE);
        gl_.Enable(GL_FRAMEBUFFER_SRGB);  // Has an effect on pictures in sRGB only.
    }
    const glm::mat4 projection = camera.projection(aspect(), covered);
    if (elements_.are_splats())
        begin_splats(projection);
    else
        begin_sprites(projection);
    if (line_) {
        gl_.Enable(GL_SCISSOR_TEST);
        draw_elements(true, 0, *line_);
        draw_elements(false, *line_, width_);
        gl_.Disable(GL_SCISSOR_TEST);
    } else {
        draw_elements(options.sort, 0, width_);
    }
    gl_.Disable(GL_BLEND);
    if (!es_) gl_.Disable(GL_FRAMEBUFFER_SRGB);
    timer(Stage::draw).end();
}

void Renderer::begin_sprites(const glm::mat4& projection) {
    set_movement(sprite_program_);
    const auto uniform = [this](const char* name) { return sprite_program_.uniform(name); };
    gl_.UniformMatrix4fv(uniform("projection"), 1, GL_FALSE, glm::value_ptr(projection));
    gl_.Uniform2f(uniform("pixels"), static_cast<float>(height_) / (2.0f * Camera::half_height()), largest_sprite_);
    gl_.Uniform2f(uniform("haze"), distance_ - 0.35f, distance_ + 0.5f);
    gl_.Uniform1f(uniform("silk"), elements_.silk() ? 1.0f : 0.0f);
}

void Renderer::begin_splats(const glm::mat4& projection) {
    gl_.UseProgram(splat_program_.name());
    const auto uniform = [this](const char* name) { return splat_program_.uniform(name); };
    gl_.UniformMatrix4fv(uniform("view"), 1, GL_FALSE, glm::value_ptr(view_));
    gl_.UniformMatrix4fv(uniform("projection"), 1, GL_FALSE, glm::value_ptr(projection));
    gl_.Uniform2f(uniform("size"), static_cast<float>(width_), static_cast<float>(height_));
    gl_.Uniform1i(uniform("per_row"), elements_.splats_per_row());
    gl_.Uniform1i(uniform("splats"), 0);
    gl_.ActiveTexture(GL_TEXTURE0);
    gl_.BindTexture(GL_TEXTURE_2D, elements_.splats());
}

void Renderer::draw_elements(bool sorted, int left, int right) {
    gl_.Scissor(left, 0, right - left, height_);
    gl_.BindVertexArray(elements_.vertices());
    const auto n = static_cast<GLsizei>(elements_.count());
    if (elements_.are_splats()) {
        gl_.Uniform1f(splat_program_.uniform("in_order"), sorted ? 1.0f : 0.0f);
        gl_.DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, n);
    } else if (sorted) {
        gl_.DrawElements(GL_POINTS, n, GL_UNSIGNED_INT, nullptr);
    } else {
        gl_.DrawArrays(GL_POINTS, 0, n);
    }
    gl_.BindVertexArray(0);
}

std::optional<double> Renderer::take_time(Stage stage, bool wait) {
    if (stage == Stage::keys && cpu_keys_ms_) return std::exchange(cpu_keys_ms_, std::nullopt);
    return wait ? timer(stage).wait() : timer(stage).take();
}

void Renderer::show(GLuint framebuffer) {
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl_.Viewport(0, 0, width_, height_);
    gl_.UseProgram(picture_program_.name());
    gl_.ActiveTexture(GL_TEXTURE0);
    gl_.BindTexture(GL_TEXTURE_2D, sprites_.name());
    gl_.Uniform1i(picture_program_.uniform("sprites"), 0);
    gl_.Uniform1f(picture_program_.uniform("aspect"), aspect());
    gl_.Uniform1f(picture_program_.uniform("for_display"), elements_.are_splats() ? 1.0f : 0.0f);
    gl_.Uniform2f(picture_program_.uniform("line"), static_cast<float>(line_.value_or(-1)),
                  std::max(1.0f, static_cast<float>(height_) / 720.0f));
    gl_.BindVertexArray(no_vertices_.name());
    gl_.DrawArrays(GL_TRIANGLES, 0, 3);
    gl_.BindVertexArray(0);
}

Picture Renderer::picture(const std::function<void()>& overlay) {
    const GlTexture texture(gl_);
    const GlFramebuffer framebuffer(gl_);
    gl_.BindTexture(GL_TEXTURE_2D, texture.name());
    gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.name(), 0);
    show(framebuffer.name());
    if (overlay) overlay();
    Picture picture = picture_of_framebuffer(gl_, framebuffer.name(), {width_, height_});
    gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
    return picture;
}

template <typename T>
std::vector<T> Renderer::read(GLuint buffer) {
    std::vector<T> values(elements_.count());
    const auto bytes = static_cast<GLsizeiptr>(values.size() * sizeof(T));
    gl_.BindBuffer(GL_COPY_READ_BUFFER, buffer);
    const void* mapped = gl_.MapBufferRange(GL_COPY_READ_BUFFER, 0, bytes, GL_MAP_READ_BIT);
    if (mapped == nullptr) throw std::runtime_error("a buffer cannot be read back");
    std::memcpy(values.data(), mapped, static_cast<std::size_t>(bytes));
    gl_.UnmapBuffer(GL_COPY_READ_BUFFER);
    gl_.BindBuffer(GL_COPY_READ_BUFFER, 0);
    return values;
}

std::vector<float> Renderer::keys() {
    return read<float>(elements_.keys());
}

std::vector<std::uint32_t> Renderer::indices() {
    return read<std::uint32_t>(elements_.indices());
}

}  // namespace glsort::demo
