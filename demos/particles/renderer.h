#pragma once

#include <glad/gl.h>

#include <glsort/scene.h>
#include <array>
#include <cstdint>
#include <functional>
#include <glm/mat4x4.hpp>
#include <optional>
#include <string>
#include <vector>

#include "camera.h"
#include "cpu_keys.h"
#include "draw_order.h"
#include "elements.h"
#include "gl_objects.h"
#include "gpu_timer.h"
#include "scenes.h"
#include "settings.h"
#include "support/headless_context.h"
#include "support/picture.h"
#include "visible_count.h"

namespace glsort::demo {

/// The parts of a frame that are timed. `cpu_keys` is there for KeyMaker::cpu only. `sort` is the whole work of glsort:
/// keys, what is visible, and the order.
enum class Stage { move, cpu_keys, sort, draw };
inline constexpr std::array all_stages = {Stage::move, Stage::cpu_keys, Stage::sort, Stage::draw};

/// Draws translucent particles or splats, back to front. No data of a frame pass through the CPU:
///
/// 1. begin(): a vertex shader moves every particle. Transform feedback writes the places.
/// 2. sort(): DrawOrder makes the order of what is visible from the places. The order goes to the index buffer, and
/// its length to the command of the draw.
/// 3. draw(): particles take the order as the index buffer of glDrawElementsIndirect(). Splats take the order as an
/// attribute of instances.
/// 4. show(): the picture goes to a framebuffer.
///
/// Needs OpenGL 3.3 or OpenGL ES 3.0.
class Renderer {
  public:
    /// The scene has as many elements and emitters as the method says. Throws std::runtime_error if the driver lacks
    /// something, and glsort::Error.
    Renderer(const GladGLContext& gl, Api api, GetProcAddress get_proc_address, const ParticleScene& scene,
             const Method& method);

    /// Changes scene and method. Throws std::runtime_error or glsort::Error, and then keeps the old scene.
    void load(const ParticleScene& scene, const Method& method);
    /// Changes the method, for an unchanged scene. Throws glsort::Error, and then keeps the old method.
    void load(const Method& method);
    /// Sets the size of the picture in pixels. Throws std::runtime_error if the size exceeds the driver's limit.
    void resize(int width, int height);
    int width() const { return width_; }
    float aspect() const { return static_cast<float>(width_) / static_cast<float>(height_); }

    /// Moves the particles. sort() and draw() then work at this time and from this camera. `covered` is the fraction of
    /// the picture's width, from the left, that a panel covers.
    void begin(double seconds, const Camera& camera, float covered = 0.0f);
    void sort();
    /// Draws in the order of the last sort(), or in array order.
    void draw(const FrameOptions& options);
    /// Draws the picture to a framebuffer. 0: the framebuffer of the window.
    void show(GLuint framebuffer);

    /// The picture that show() shows, with the drawing of `overlay` on top. Waits for the GPU.
    Picture picture(const std::function<void()>& overlay = {});
    /// Compares the last sort() with the CPU. Returns an empty text, or what is wrong. Waits for the GPU.
    std::string check() const;

    /// Returns the oldest finished time of a stage that was not taken yet, in milliseconds. `wait`: waits for
    /// unfinished queries.
    std::optional<double> take_time(Stage stage, bool wait = false);
    /// Whether timer queries measure. Otherwise the CPU waits for the GPU and measures with a clock.
    bool has_queries() const { return timer(Stage::sort).queries(); }

    /// Repeats the last sort() without a pause, and returns the milliseconds of each sort. A GPU lowers its clock in
    /// the pauses between frames, and more so while the CPU verifies. These sorts follow 400 ms of other sorts, so the
    /// clock is at its full rate. Nothing where timer queries cannot measure: on software rasterisers and OpenGL ES.
    std::vector<double> sorts_at_full_clock();

    /// Returns the oldest number of visible elements that was not taken yet. `wait`: waits for numbers on their way.
    std::optional<std::uint32_t> take_visible(bool wait = false) { return visible_.take(wait); }

    const Elements& elements() const { return elements_; }
    const SceneSorter& sorter() const { return order_.sorter(); }
    /// The position of the line of the split screen, in pixels from the left. Nothing without a split screen.
    std::optional<int> line() const { return line_; }

  private:
    GpuTimer& timer(Stage stage) { return timers_[static_cast<std::size_t>(stage)]; }
    const GpuTimer& timer(Stage stage) const { return timers_[static_cast<std::size_t>(stage)]; }
    bool is_es() const { return api_ == Api::gles; }
    void write_keys_on_cpu();
    View culling_view() const;
    void begin_sprites();
    void begin_splats();
    void draw_elements(bool sorted, int left, int right);

    const GladGLContext& gl_;
    Api api_;
    GetProcAddress get_proc_address_;
    Method method_;
    Elements elements_;
    DrawOrder order_;
    VisibleCount visible_;
    std::array<GpuTimer, all_stages.size()> timers_;  // That of `cpu_keys` is not used.
    std::optional<double> cpu_keys_ms_;
    std::vector<CpuKey> cpu_keys_;  // Of the last sort().
    GlProgram move_program_;
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
    glm::mat4 projection_{1.0f};
    float distance_ = 1.0f;
    float covered_ = 0.0f;
    std::optional<int> line_;
};

}  // namespace glsort::demo
