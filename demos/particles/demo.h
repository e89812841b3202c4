#pragma once

#include <glad/gl.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "camera.h"
#include "renderer.h"
#include "settings.h"

namespace glsort::demo {

/// "OpenGL ES 3.0", for messages.
std::string name_of(Api api, int version);

/// How fast the camera goes around the scene by itself, in radians per second.
inline constexpr float orbit_speed = 0.12f;

/// A line on standard error that says what is being done.
void say(std::string_view text);

/// What both modes do: the scene in motion, frame by frame, and what is reported about it.
class Demo {
  public:
    /// The settings' context must be current, now and until destruction. Makes the scene; tells of
    /// it on standard error. Throws std::runtime_error and glsort::Error.
    Demo(const Settings& settings, glsort::GetProcAddress get_proc_address);

    /// As Renderer::resize(). Frames the scene anew.
    void resize(int width, int height);
    /// Draws the scene as it is after so many seconds; Renderer::show() shows it. Returns how long
    /// --verify took, in milliseconds. Throws std::runtime_error naming the frame where OpenGL
    /// reports an error or, with --verify, the order is wrong.
    double frame(double seconds, bool sorted);
    /// Waits until everything is drawn.
    void finish() { gl_.Finish(); }
    void write_screenshot(const std::filesystem::path& path);
    /// The lines on standard output. `frame_ms` are the frames' times, without verification.
    void report(std::vector<double> frame_ms);

    Renderer& renderer() { return renderer_; }
    Camera& camera() { return camera_; }
    std::uint32_t count() const { return maker_.count(); }
    /// The sorter's backend and algorithm.
    std::string method() const;
    /// How long the last sort took that is known, in milliseconds.
    std::optional<double> sort_ms() const;

  private:
    static GladGLContext load_functions(Api api, glsort::GetProcAddress get_proc_address);

    Settings settings_;
    GladGLContext gl_;
    SceneMaker maker_;
    Renderer renderer_;
    Camera camera_;
    std::vector<glm::vec3> positions_;
    float largest_radius_ = 0.0f;  // of a particle
    std::uint64_t frames_ = 0;
    std::uint64_t sorted_frames_ = 0;
    std::vector<double> sort_ms_;
};

}  // namespace glsort::demo
