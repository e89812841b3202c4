#include "demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "support/picture.h"
#include "verify.h"

namespace glsort::demo {

namespace {

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 != 0) return *middle;
    return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

std::string text_of(const GladGLContext& gl, GLenum name) {
    const auto* text = reinterpret_cast<const char*>(gl.GetString(name));
    return text != nullptr ? text : "unknown";
}

// ES versions begin with "OpenGL ES", the others with the number.
std::string version_of(const GladGLContext& gl) {
    const std::string text = text_of(gl, GL_VERSION);
    return text.starts_with("OpenGL") ? text : "OpenGL " + text;
}

SceneMaker make_scene_maker(const Settings& settings) {
    const auto& names = scene_names();
    if (std::find(names.begin(), names.end(), settings.scene) == names.end())
        say("reading " + settings.scene);
    return SceneMaker(settings.scene, settings.count, settings.seed);
}

}  // namespace

std::string name_of(Api api, int version) {
    return fmt::format("OpenGL {}{}.{}", api == Api::gl ? "" : "ES ", version / 10, version % 10);
}

void say(std::string_view text) {
    fmt::print(stderr, "{}\n", text);
}

std::vector<int> versions_to_try(const Settings& settings) {
    if (settings.version != 0) return {settings.version};
    const bool gl = settings.api == Api::gl;
    const int with_compute = gl ? 43 : 31;
    const int without = gl ? 33 : 30;
    if (settings.backend == Backend::compute) return {with_compute};
    if (settings.backend == Backend::fragment) return {without};
    return {with_compute, without};
}

GladGLContext Demo::load_functions(Api api, glsort::GetProcAddress get_proc_address) {
    GladGLContext gl{};
    const int version = api == Api::gl ? gladLoadGLContext(&gl, get_proc_address)
                                       : gladLoadGLES2Context(&gl, get_proc_address);
    if (version == 0) throw std::runtime_error("the driver's OpenGL functions cannot be loaded");
    return gl;
}

Demo::Demo(const Settings& settings, glsort::GetProcAddress get_proc_address)
    : settings_(settings),
      gl_(load_functions(settings.api, get_proc_address)),
      maker_(make_scene_maker(settings)),
      renderer_(gl_, settings, maker_.count(), get_proc_address) {
    say(fmt::format("making {} particles", maker_.count()));
    const ParticleScene scene = maker_.make();
    renderer_.load(scene);
    camera_ = Camera(scene.yaw, scene.pitch);
    positions_.reserve(scene.particles.size());
    for (const Particle& particle : scene.particles)
        positions_.push_back(particle.position);
}

void Demo::resize(int width, int height) {
    renderer_.resize(width, height);
    camera_.frame(positions_, largest_radius_, renderer_.aspect());
}

double Demo::frame(double seconds, bool sorted) {
    using Clock = std::chrono::steady_clock;
    std::chrono::duration<double, std::milli> verifying{0.0};
    ++frames_;
    renderer_.write_keys(seconds, camera_);
    if (sorted) {
        std::vector<float> keys;
        if (settings_.verify) {
            gl_.Finish();  // what comes before belongs to the frame
            const Clock::time_point start = Clock::now();
            keys = renderer_.keys();
            verifying += Clock::now() - start;
        }
        renderer_.sort();
        if (const std::optional<double> time = renderer_.timer().take()) sort_ms_.push_back(*time);
        ++sorted_frames_;
        if (settings_.verify) {
            gl_.Finish();
            const Clock::time_point start = Clock::now();
            const std::string problem = check_order(keys, renderer_.indices());
            if (!problem.empty())
                throw std::runtime_error(
                    fmt::format("frame {} is in a wrong order: {}", frames_, problem));
            verifying += Clock::now() - start;
        }
    }
    renderer_.draw(sorted);
    if (const GLenum error = gl_.GetError(); error != GL_NO_ERROR)
        throw std::runtime_error(fmt::format("frame {}: OpenGL error {:#x}", frames_, error));
    return verifying.count();
}

void Demo::write_screenshot(const std::filesystem::path& path) {
    write_png(path, renderer_.picture());
}

void Demo::report(std::vector<double> frame_ms) {
    while (const std::optional<double> time = renderer_.timer().wait())
        sort_ms_.push_back(*time);

    std::string what = "not sorted: array order";
    if (sorted_frames_ > 0)
        what = fmt::format("f32 keys (depth in view space), {}, with their u32 index",
                           to_string(renderer_.sorter().spec().order));
    fmt::print("what     {} particles; {}\n", count(), what);
    fmt::print("where    {}; {}\n", text_of(gl_, GL_RENDERER), version_of(gl_));
    if (sorted_frames_ > 0) fmt::print("how      {}\n", method());
    std::string speed;
    if (!sort_ms_.empty()) {
        const double ms = median(sort_ms_);
        speed = fmt::format("{:.3f} ms per sort, {:.2f} Mitems/s; ", ms,
                            1e-3 * static_cast<double>(count()) / std::max(ms, 1e-6));
    }
    if (!frame_ms.empty()) {
        fmt::print("speed    {}{:.1f} ms per frame ({})\n", speed, median(frame_ms),
                   frame_ms.size() == 1 ? "of 1 frame"
                                        : fmt::format("medians of {} frames", frame_ms.size()));
    }
    if (!settings_.screenshot.empty()) fmt::print("picture  {}\n", settings_.screenshot.string());
    if (settings_.verify && sorted_frames_ > 0)
        fmt::print("verified\n");
    else if (settings_.verify)
        fmt::print("not verified (nothing was sorted)\n");
    else
        fmt::print("not verified (run with --verify)\n");
}

std::string Demo::method() const {
    const SortSpec& spec = renderer_.sorter().spec();
    return fmt::format("{} {}", to_string(spec.backend), spec.algorithm);
}

std::optional<double> Demo::sort_ms() const {
    if (sort_ms_.empty()) return std::nullopt;
    return sort_ms_.back();
}

}  // namespace glsort::demo
