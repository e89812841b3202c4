#pragma once

#include <glad/gl.h>

#include <glsort/sorter.h>
#include <array>
#include <cstdint>
#include <functional>
#include <glm/mat4x4.hpp>
#include <optional>
#include <vector>

#include "camera.h"
#include "elements.h"
#include "gl_objects.h"
#include "gpu_timer.h"
#include "scenes.h"
#include "settings.h"
#include "support/picture.h"

namespace glsort::demo {

/// The parts of a frame that are timed.
enum class Stage { keys, sort, draw };
inline constexpr int stages = 3;

/// Draws translucent particles or splats, back to front. No data of a frame pass through the CPU:
///
/// 1. write_keys(): a vertex shader moves every particle. Transform feedback writes the keys to the buffer of keys.
/// KeyMaker::cpu does this step on the CPU, for comparison.
/// 2. sort(): a glsort::Sorter sorts the keys, and writes the index of each key's particle to the buffer of indices.
/// 3. draw(): particles take the buffer as the index buffer of glDrawElements(). Splats take the buffer as an attribute
/// of instances.
/// 4. show(): the picture goes to a framebuffer.
///
/// Needs OpenGL 3.3 or OpenGL ES 3.0.
class Renderer {
  public:
    /// Throws std::runtime_error if the driver lacks something.
    Renderer(const GladGLContext& gl, Api api, const ParticleScene& scene, Sorter sorter);

    /// Changes scene and sorter. Throws std::runtime_error, and then keeps the old scene.
    void load(const ParticleScene& scene, Sorter sorter);
    /// Changes the sorter, for an unchanged number of particles.
    void load(Sorter sorter) { sorter_ = std::move(sorter); }
    /// Sets the size of the picture in pixels. Throws std::runtime_error if the size exceeds the driver's limit.
    void resize(int width, int height);
    int width() const { return width_; }
    float aspect() const { return static_cast<float>(width_) / static_cast<float>(height_); }

    void write_keys(double seconds, const Camera& camera, const FrameOptions& options);
    void sort();
    /// Draws at the time and from the camera of the last write_keys(). `covered` is the fraction of the picture's
    /// width, from the left, that a panel covers.
    void draw(const Camera& camera, const FrameOptions& options, float covered = 0.0f);
    /// Draws the picture to a framebuffer. 0: the framebuffer of the window.
    void show(GLuint framebuffer);

    /// The picture that show() shows, with the drawing of `overlay` on top. Waits for the GPU.
    Picture picture(const std::function<void()>& overlay = {});
    /// The keys, in sorted order after sort(). Waits for the GPU.
    std::vector<float> keys();
    /// The order that sort() found. Waits for the GPU.
    std::vector<std::uint32_t> indices();

    /// Returns the oldest finished time of a stage that was not taken yet, in milliseconds. `wait`: waits for
    /// unfinished queries.
    std::optional<double> take_time(Stage stage, bool wait = false);
    /// Whether timer queries measure. Otherwise the CPU waits for the GPU and measures with a clock.
    bool has_queries() const { return timer(Stage::sort).queries(); }

    const Elements& elements() const { return elements_; }
    const Sorter& sorter() const { return sorter_; }
    /// The position of the line of the split screen, in pixels from the left. Nothing without a split screen.
    std::optional<int> line() const { return line_; }

  private:
    GpuTimer& timer(Stage stage) { return timers_[static_cast<std::size_t>(stage)]; }
    const GpuTimer& timer(Stage stage) const { return timers_[static_cast<std::size_t>(stage)]; }
    void write_keys_on_gpu(SortKey key);
    void write_keys_on_cpu(SortKey key);
    void set_movement(const GlProgram& program);
    void begin_sprites(const glm::mat4& projection);
    void begin_splats(const glm::mat4& projection);
    void draw_elements(bool sorted, int left, int right);
    template <typename T>
    std::vector<T> read(GLuint buffer);

    const GladGLContext& gl_;
    bool es_;
    Elements elements_;
    Sorter sorter_;
    std::array<GpuTimer, stages> timers_;
    std::optional<double> cpu_keys_ms_;
    GlProgram key_program_;
    GlProgram sprite_program_;
    GlProgram splat_program_;
    GlProgram picture_program_;
    GlVertexArray no_vertices_;
    GlTexture sprites_;
    GlFramebuffer framebuffer_;
    float largest_sprite_ = 1.0f;  // In pixels.
    int width_ = 0;
    int height_ = 0;

    // State of the current frame.
    double seconds_ = 0.0;
    glm::mat4 view_{1.0f};
    float distance_ = 1.0f;
    std::optional<int> line_;
};

}  // namespace glsort::demo
