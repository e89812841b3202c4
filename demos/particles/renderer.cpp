#include "renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "capture.h"
#include "read_buffer.h"
#include "shaders.h"
#include "support/gl_picture.h"
#include "support/timing.h"
#include "verify.h"

namespace glsort::demo {

namespace {

// The angle in [0, 2 pi). The sin() of shaders loses accuracy as its argument grows.
float angle(double radians) {
    constexpr double two_pi = 2.0 * std::numbers::pi;
    return static_cast<float>(radians - two_pi * std::floor(radians / two_pi));
}

}  // namespace

Renderer::Renderer(const GladGLContext& gl, Api api, GetProcAddress get_proc_address, const ParticleScene& scene,
                   const Method& method)
    : gl_(gl),
      api_(api),
      get_proc_address_(get_proc_address),
      method_(method),
      elements_(gl, is_es(), scene),
      order_(gl, api, get_proc_address, elements_, method),
      visible_(gl),
      timers_{GpuTimer(gl, api), GpuTimer(gl, api), GpuTimer(gl, api), GpuTimer(gl, api)},
      move_program_(gl, shaders::move_vertex(api), shaders::no_fragment(api), {"place"}),
      sprite_program_(gl, shaders::sprite_vertex(api), shaders::sprite_fragment(api)),
      splat_program_(gl, shaders::splat_vertex(api), shaders::splat_fragment(api)),
      picture_program_(gl, shaders::picture_vertex(api), shaders::picture_fragment(api)),
      no_vertices_(gl),
      sprites_(gl),
      framebuffer_(gl) {
    float sizes[2] = {1.0f, 1.0f};
    gl.GetFloatv(is_es() ? GL_ALIASED_POINT_SIZE_RANGE : GL_POINT_SIZE_RANGE, sizes);
    largest_sprite_ = std::min(sizes[1], 256.0f);
}

void Renderer::load(const ParticleScene& scene, const Method& method) {
    Elements elements(gl_, is_es(), scene);
    DrawOrder order(gl_, api_, get_proc_address_, elements, method);
    elements_ = std::move(elements);
    order_ = std::move(order);
    method_ = method;
}

void Renderer::load(const Method& method) {
    order_ = DrawOrder(gl_, api_, get_proc_address_, elements_, method);
    method_ = method;
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

void Renderer::begin(double seconds, const Camera& camera, float covered) {
    seconds_ = seconds;
    view_ = camera.view();
    projection_ = camera.projection(aspect(), covered);
    distance_ = camera.distance();
    covered_ = covered;
    if (elements_.are_splats()) return;
    timer(Stage::move).begin();
    const Movement& movement = elements_.movement();
    const Motion& motion = movement.motion;
    gl_.UseProgram(move_program_.name());
    gl_.Uniform3f(move_program_.uniform("flow"), movement.ring_radius, angle(motion.turn_speed * seconds_),
                  angle(movement.roll_speed * seconds_));
    gl_.Uniform3f(move_program_.uniform("wave"), motion.wave_height, motion.wave_number,
                  angle(motion.wave_speed * seconds_));
    // Transform feedback needs a framebuffer, and there may be no window.
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    capture(gl_, elements_.first_vertices(), elements_.places(), elements_.count());
    timer(Stage::move).end();
}

// The camera that decides what is visible. Small sprites are drawn larger than they are, and splats are blurred: each
// side of the picture gets a margin of more pixels than that.
View Renderer::culling_view() const {
    constexpr float margin = 3.0f;
    glm::mat4 projection = projection_;
    for (int column = 0; column < 4; ++column) {
        projection[column][0] *= static_cast<float>(width_) / (static_cast<float>(width_) + 2.0f * margin);
        projection[column][1] *= static_cast<float>(height_) / (static_cast<float>(height_) + 2.0f * margin);
    }
    View view;
    std::copy_n(glm::value_ptr(view_), view.view.size(), view.view.begin());
    std::copy_n(glm::value_ptr(projection), view.projection.size(), view.projection.begin());
    return view;
}

// Measures the time that the program waits, not the time that the GPU spends on the copy.
void Renderer::write_keys_on_cpu() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    std::vector<Place> places;
    places.reserve(elements_.count());
    for (std::size_t i = 0; i < elements_.count(); ++i) {
        const glm::vec3& position = elements_.positions()[i];
        places.push_back({elements_.are_splats() ? position : moved(position, elements_.movement(), seconds_),
                          elements_.radii()[i]});
    }
    cpu_keys_ = cpu_keys(places, culling_view(), method_.keys);
    order_.upload(cpu_keys_);
    cpu_keys_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void Renderer::sort() {
    if (method_.keys.maker == KeyMaker::cpu) write_keys_on_cpu();
    timer(Stage::sort).begin();
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    order_.sort(elements_, culling_view());
    timer(Stage::sort).end();
    visible_.copy(order_.sorter().status());
}

std::vector<double> Renderer::sorts_at_full_clock() {
    if (!has_queries() || is_es()) return {};
    class LastSort : public Timed {
      public:
        LastSort(Renderer& renderer) : renderer_(renderer), view_(renderer.culling_view()) {}
        void run() override { renderer_.order_.sort(renderer_.elements_, view_); }
        void finish() override { renderer_.gl_.Finish(); }

      private:
        Renderer& renderer_;
        View view_;
    };
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    LastSort sort(*this);
    return QueryTimer(gl_).time(sort, {.warm_up_ms = 400, .min_ms = 100, .repetitions = 0});
}

std::string Renderer::check() const {
    const DrawOrder::Result result = order_.read_back(elements_);
    std::vector<CpuKey> keys = cpu_keys_;
    if (method_.keys.maker == KeyMaker::gpu)
        keys = cpu_keys(read_buffer<Place>(gl_, elements_.places(), elements_.count()), culling_view(), method_.keys);
    else
        for (CpuKey& key : keys)  // glsort sorts these very keys.
            key.error = 0.0f;
    if (result.drawn != result.order.size())
        return fmt::format("the draw has {} items, of {} that are visible", result.drawn, result.order.size());
    return check_order(keys, result.order);
}

void Renderer::draw(const FrameOptions& options) {
    const float free_left = covered_ * static_cast<float>(width_);
    line_.reset();
    if (options.split)
        line_ = static_cast<int>(std::lround(free_left + options.split_at * (static_cast<float>(width_) - free_left)));

    timer(Stage::draw).begin();
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    gl_.Viewport(0, 0, width_, height_);
    gl_.ClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    gl_.Clear(GL_COLOR_BUFFER_BIT);
    gl_.Disable(GL_DEPTH_TEST);
    gl_.Enable(GL_BLEND);
    gl_.BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // The operator "over", with premultiplied colours.
    if (!is_es()) {                                 // In ES both are always on.
        gl_.Enable(GL_PROGRAM_POINT_SIZE);
        gl_.Enable(GL_FRAMEBUFFER_SRGB);  // Has an effect on pictures in sRGB only.
    }
    if (elements_.are_splats())
        begin_splats();
    else
        begin_sprites();
    if (line_) {
        gl_.Enable(GL_SCISSOR_TEST);
        draw_elements(true, 0, *line_);
        draw_elements(false, *line_, width_);
        gl_.Disable(GL_SCISSOR_TEST);
    } else {
        draw_elements(options.sort, 0, width_);
    }
    gl_.Disable(GL_BLEND);
    if (!is_es()) gl_.Disable(GL_FRAMEBUFFER_SRGB);
    timer(Stage::draw).end();
}

void Renderer::begin_sprites() {
    gl_.UseProgram(sprite_program_.name());
    const auto uniform = [this](const char* name) { return sprite_program_.uniform(name); };
    gl_.UniformMatrix4fv(uniform("view"), 1, GL_FALSE, glm::value_ptr(view_));
    gl_.UniformMatrix4fv(uniform("projection"), 1, GL_FALSE, glm::value_ptr(projection_));
    gl_.Uniform2f(uniform("pixels"), static_cast<float>(height_) / (2.0f * Camera::half_height()), largest_sprite_);
    gl_.Uniform2f(uniform("haze"), distance_ - 0.35f, distance_ + 0.5f);
    gl_.Uniform1f(uniform("silk"), elements_.silk() ? 1.0f : 0.0f);
    gl_.Uniform1f(uniform("ring"), elements_.movement().ring_radius);
}

void Renderer::begin_splats() {
    gl_.UseProgram(splat_program_.name());
    const auto uniform = [this](const char* name) { return splat_program_.uniform(name); };
    gl_.UniformMatrix4fv(uniform("view"), 1, GL_FALSE, glm::value_ptr(view_));
    gl_.UniformMatrix4fv(uniform("projection"), 1, GL_FALSE, glm::value_ptr(projection_));
    gl_.Uniform2f(uniform("size"), static_cast<float>(width_), static_cast<float>(height_));
    gl_.Uniform1i(uniform("per_row"), elements_.splats_per_row());
    gl_.Uniform1i(uniform("splats"), 0);
    gl_.ActiveTexture(GL_TEXTURE0);
    gl_.BindTexture(GL_TEXTURE_2D, elements_.splats());
}

void Renderer::draw_elements(bool sorted, int left, int right) {
    gl_.Scissor(left, 0, right - left, height_);
    if (elements_.are_splats()) gl_.Uniform1f(splat_program_.uniform("in_order"), sorted ? 1.0f : 0.0f);
    if (sorted) return order_.draw(elements_);
    const auto n = static_cast<GLsizei>(elements_.count());
    gl_.BindVertexArray(elements_.vertices());
    if (elements_.are_splats())
        gl_.DrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, n);
    else
        gl_.DrawArrays(GL_POINTS, 0, n);
    gl_.BindVertexArray(0);
}

std::optional<double> Renderer::take_time(Stage stage, bool wait) {
    if (stage == Stage::cpu_keys) return std::exchange(cpu_keys_ms_, std::nullopt);
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

}  // namespace glsort::demo
