#include "renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <glm/gtc/type_ptr.hpp>
#include <numbers>
#include <stdexcept>

#include "shaders.h"

namespace glsort::demo {

namespace {

SortSpec sort_spec(const Settings& settings, std::uint32_t count) {
    SortSpec spec;
    spec.key = KeyType::f32;
    spec.payload = Payload::index();
    spec.order = Order::ascending;  // by z in view space: the farthest first
    spec.algorithm = settings.algorithm;
    spec.backend = settings.backend;
    spec.capacity = count;
    return spec;
}

// In [0, 2 pi): the shaders' sin() gets less exact as its argument grows.
float angle(double radians) {
    constexpr double two_pi = 2.0 * std::numbers::pi;
    return static_cast<float>(radians - two_pi * std::floor(radians / two_pi));
}

const void* at(std::size_t offset) {
    return reinterpret_cast<const void*>(offset);
}

void allocate(const GladGLContext& gl, GLenum target, const GlBuffer& buffer, std::size_t bytes,
              const void* data, GLenum usage) {
    gl.BindBuffer(target, buffer.name());
    gl.BufferData(target, static_cast<GLsizeiptr>(bytes), data, usage);
    if (gl.GetError() == GL_OUT_OF_MEMORY)
        throw std::runtime_error(fmt::format(
            "the driver has no memory for a buffer of {} MiB: ask for a smaller --count",
            bytes >> 20));
}

}  // namespace

Renderer::Renderer(const GladGLContext& gl, const Settings& settings, std::uint32_t count,
                   glsort::GetProcAddress get_proc_address)
    : gl_(gl),
      es_(settings.api == Api::gles),
      count_(count),
      sorter_(sort_spec(settings, count), get_proc_address),
      timer_(gl, settings.api),
      key_program_(gl, shaders::key_vertex(settings.api), shaders::key_fragment(settings.api),
                   {"key"}),
      sprite_program_(gl, shaders::sprite_vertex(settings.api),
                      shaders::sprite_fragment(settings.api)),
      picture_program_(gl, shaders::picture_vertex(settings.api),
                       shaders::picture_fragment(settings.api)),
      particles_(gl),
      keys_(gl),
      indices_(gl),
      key_vertices_(gl),
      sprite_vertices_(gl),
      no_vertices_(gl),
      sprites_(gl),
      framebuffer_(gl) {
    float sizes[2] = {1.0f, 1.0f};
    gl.GetFloatv(es_ ? GL_ALIASED_POINT_SIZE_RANGE : GL_POINT_SIZE_RANGE, sizes);
    largest_sprite_ = std::min(sizes[1], 256.0f);
    if (!es_) return;
    GLint64 largest_index = 0;  // may be 2^24 - 1; OpenGL has always had 2^32 - 1
    gl.GetInteger64v(GL_MAX_ELEMENT_INDEX, &largest_index);
    if (static_cast<GLint64>(count) - 1 > largest_index)
        throw std::runtime_error(fmt::format("--count {}: the driver draws at most {} particles",
                                             count, largest_index + 1));
}

void Renderer::load(const ParticleScene& scene) {
    if (scene.particles.size() != count_)
        throw std::logic_error("Renderer::load: another count than the constructor's");
    motion_ = scene.motion;
    ring_radius_ = scene.ring_radius;
    roll_speed_ = scene.roll_speed;
    silk_ = scene.silk;

    const std::size_t n = count_;
    gl_.BindVertexArray(0);
    allocate(gl_, GL_ARRAY_BUFFER, keys_, n * sizeof(float), nullptr, GL_DYNAMIC_COPY);
    allocate(gl_, GL_ARRAY_BUFFER, particles_, n * sizeof(Particle), scene.particles.data(),
             GL_STATIC_DRAW);
    const auto attribute = [this](GLuint location, GLint components, std::size_t offset) {
        gl_.EnableVertexAttribArray(location);
        gl_.VertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, sizeof(Particle),
                                at(offset));
    };
    gl_.BindVertexArray(key_vertices_.name());
    attribute(0, 3, offsetof(Particle, position));
    gl_.BindVertexArray(sprite_vertices_.name());
    attribute(0, 3, offsetof(Particle, position));
    attribute(1, 4, offsetof(Particle, colour));
    attribute(2, 1, offsetof(Particle, size));
    // The binding is part of the vertex array: whatever the sorter writes there is drawn.
    allocate(gl_, GL_ELEMENT_ARRAY_BUFFER, indices_, n * sizeof(std::uint32_t), nullptr,
             GL_DYNAMIC_COPY);
    gl_.BindVertexArray(0);
}

void Renderer::resize(int width, int height) {
    GLint largest = 0;
    gl_.GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (width < 1 || height < 1 || width > largest || height > largest)
        throw std::runtime_error(fmt::format("a picture of {}x{} pixels: the driver's limit is {}",
                                             width, height, largest));
    width_ = width;
    height_ = height;
    // Blends linearly and stores enough steps of the dark colours; every version can draw to it.
    gl_.BindTexture(GL_TEXTURE_2D, sprites_.name());
    gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   nullptr);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, sprites_.name(),
                             0);
    const GLenum status = gl_.CheckFramebufferStatus(GL_FRAMEBUFFER);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
    if (status != GL_FRAMEBUFFER_COMPLETE)
        throw std::runtime_error(
            fmt::format("the driver cannot draw to a picture of {}x{} pixels (status {:#x})", width,
                        height, status));
}

void Renderer::set_motion(const GlProgram& program) {
    gl_.UseProgram(program.name());
    gl_.UniformMatrix4fv(program.uniform("view"), 1, GL_FALSE, glm::value_ptr(view_));
    gl_.Uniform3f(program.uniform("flow"), ring_radius_, angle(motion_.turn_speed * seconds_),
                  angle(roll_speed_ * seconds_));
    gl_.Uniform3f(program.uniform("wave"), motion_.wave_height, motion_.wave_number,
                  angle(motion_.wave_speed * seconds_));
}

void Renderer::write_keys(double seconds, const Camera& camera) {
    seconds_ = seconds;
    view_ = camera.view();
    projection_ = camera.projection(aspect());
    distance_ = camera.distance();

    set_motion(key_program_);
    // Nothing is drawn to it, but a draw needs one, and there may be no window's.
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    gl_.BindVertexArray(key_vertices_.name());
    gl_.Enable(GL_RASTERIZER_DISCARD);
    gl_.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, keys_.name());
    gl_.BeginTransformFeedback(GL_POINTS);
    gl_.DrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count_));
    gl_.EndTransformFeedback();
    gl_.BindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
    gl_.Disable(GL_RASTERIZER_DISCARD);
    gl_.BindVertexArray(0);
}

void Renderer::sort() {
    timer_.begin();
    sorter_.sort({.name = keys_.name()}, {.name = indices_.name()}, count_,
                 Readers::index | Readers::transfer);
    timer_.end();
}

void Renderer::draw(bool sorted) {
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    gl_.Viewport(0, 0, width_, height_);
    gl_.ClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    gl_.Clear(GL_COLOR_BUFFER_BIT);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // over, with premultiplied colours
    if (!es_) {                                     // ES has both, always on
        gl_.Enable(GL_PROGRAM_POINT_SIZE);
        gl_.Enable(GL_FRAMEBUFFER_SRGB);
    }

    set_motion(sprite_program_);
    const auto uniform = [this](const char* name) { return sprite_program_.uniform(name); };
    gl_.UniformMatrix4fv(uniform("projection"), 1, GL_FALSE, glm::value_ptr(projection_));
    gl_.Uniform2f(uniform("pixels"), static_cast<float>(height_) / (2.0f * Camera::half_height()),
                  largest_sprite_);
    gl_.Uniform2f(uniform("haze"), distance_ - 0.35f, distance_ + 0.5f);
    gl_.Uniform1f(uniform("silk"), silk_ ? 1.0f : 0.0f);
    gl_.BindVertexArray(sprite_vertices_.name());
    const auto n = static_cast<GLsizei>(count_);
    if (sorted)
        gl_.DrawElements(GL_POINTS, n, GL_UNSIGNED_INT, nullptr);
    else
        gl_.DrawArrays(GL_POINTS, 0, n);
    gl_.BindVertexArray(0);
    gl_.Disable(GL_BLEND);
    if (!es_) gl_.Disable(GL_FRAMEBUFFER_SRGB);
}

void Renderer::show(GLuint framebuffer) {
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl_.Viewport(0, 0, width_, height_);
    gl_.UseProgram(picture_program_.name());
    gl_.ActiveTexture(GL_TEXTURE0);
    gl_.BindTexture(GL_TEXTURE_2D, sprites_.name());
    gl_.Uniform1i(picture_program_.uniform("sprites"), 0);
    gl_.Uniform1f(picture_program_.uniform("aspect"), aspect());
    gl_.BindVertexArray(no_vertices_.name());
    gl_.DrawArrays(GL_TRIANGLES, 0, 3);
    gl_.BindVertexArray(0);
}

Picture Renderer::picture() {
    const GlTexture texture(gl_);
    const GlFramebuffer framebuffer(gl_);
    gl_.BindTexture(GL_TEXTURE_2D, texture.name());
    gl_.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                   nullptr);
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.name(),
                             0);
    show(framebuffer.name());
    Picture picture{width_, height_, {}};
    picture.rgba.resize(std::size_t{4} * width_ * height_);
    gl_.PixelStorei(GL_PACK_ALIGNMENT, 1);
    gl_.ReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
    gl_.BindFramebuffer(GL_FRAMEBUFFER, 0);
    flip_vertically(picture);
    return picture;
}

template <typename T>
std::vector<T> Renderer::read(const GlBuffer& buffer) {
    std::vector<T> values(count_);
    const auto bytes = static_cast<GLsizeiptr>(values.size() * sizeof(T));
    gl_.BindBuffer(GL_COPY_READ_BUFFER, buffer.name());
    const void* mapped = gl_.MapBufferRange(GL_COPY_READ_BUFFER, 0, bytes, GL_MAP_READ_BIT);
    if (mapped == nullptr) throw std::runtime_error("a buffer cannot be read back");
    std::memcpy(values.data(), mapped, static_cast<std::size_t>(bytes));
    gl_.UnmapBuffer(GL_COPY_READ_BUFFER);
    gl_.BindBuffer(GL_COPY_READ_BUFFER, 0);
    return values;
}

std::vector<float> Renderer::keys() {
    return read<float>(keys_);
}

std::vector<std::uint32_t> Renderer::indices() {
    return read<std::uint32_t>(indices_);
}

}  // namespace glsort::demo
