#pragma once

#include <glad/gl.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "camera.h"
#include "device.h"
#include "history.h"
#include "renderer.h"
#include "scenes.h"
#include "settings.h"
#include "support/headless_context.h"
#include "support/picture.h"

namespace glsort::demo {

/// The version for messages: "OpenGL ES 3.0".
std::string name_of(Api api, int version);

/// The speed at which the camera circles the scene by itself, in radians per second.
inline constexpr float orbit_speed = 0.12f;

/// What both modes do: the scene in motion, frame by frame, and what is reported about it.
class Demo {
  public:
    /// Makes the scene, and describes the scene on standard error. The context of the settings must be current, from
    /// construction to destruction. Throws std::runtime_error and glsort::Error.
    Demo(const Settings& settings, GetProcAddress get_proc_address);

    /// Changes the method of sorting, or the number of particles or emitters. Throws std::runtime_error and
    /// glsort::Error, with nothing changed.
    void choose(const Method& method);
    const Method& method() const { return method_; }
    /// The max number of particles or splats of the scene.
    std::uint32_t largest_count() const { return maker_.largest_count(); }
    /// The elements of the scene, for messages.
    const char* things() const { return maker_.makes_splats() ? "splats" : "particles"; }
    /// The backend and the algorithm in use, with `automatic` resolved.
    std::string method_name() const;

    /// Resizes the picture as Renderer::resize() does. Frames the scene anew in the part that is not covered.
    void resize(int width, int height, float covered = 0.0f);
    /// Draws the scene at the time `seconds`. Renderer::show() then shows the picture. Returns the time of --verify in
    /// milliseconds. Throws std::runtime_error that names the frame if OpenGL reports an error, or if --verify finds a
    /// wrong order.
    double frame(double seconds, const FrameOptions& options, float covered = 0.0f);
    /// Waits until everything is drawn, and takes all times.
    void finish() {
        gl_.Finish();
        take_times(true);
    }
    /// The last frame; `overlay` draws over it.
    Picture picture(const std::function<void()>& overlay) { return renderer_.picture(overlay); }
    /// Prints a text and the end of its line: to standard error where pictures go to standard output.
    void say(const std::string& text) const;
    /// Says what was drawn and how fast. `frame_ms` are the frames' times, without verification. `written` is the
    /// file or folder of pictures. Empty: none was written.
    void report(const History& frame_ms, const std::filesystem::path& written);

    const Device& device() const { return device_; }

    Renderer& renderer() { return renderer_; }
    Camera& camera() { return camera_; }
    /// The fraction of the last frame's width, from the left, that was covered.
    float covered() const { return covered_; }
    const GladGLContext& gl() const { return gl_; }
    /// The times of a stage in the last frames, in milliseconds.
    const History& times(Stage stage) const { return times_[static_cast<std::size_t>(stage)]; }
    /// The number of visible elements, of a frame or some before. Nothing before the first number, and if the last
    /// frame was not sorted.
    std::optional<std::uint32_t> visible() const { return visible_; }

  private:
    ParticleScene make_scene(const Method& method) const;
    static GladGLContext load_functions(Api api, GetProcAddress get_proc_address);
    void take_times(bool wait);

    Settings settings_;
    GetProcAddress get_proc_address_;
    GladGLContext gl_;
    SceneMaker maker_;
    Device device_;
    Method method_;
    ParticleScene scene_;  // Empty once the particles are on the GPU.
    Renderer renderer_;
    Camera camera_;
    float covered_ = 0.0f;
    std::array<History, all_stages.size()> times_;
    std::optional<std::uint32_t> visible_;
    std::uint64_t frames_ = 0;
    // Counted since the last choose().
    std::uint64_t sorted_frames_ = 0;
    History sort_ms_{History::of_report};
};

}  // namespace glsort::demo
