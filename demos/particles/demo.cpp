#include "demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/console.h"
#include "support/memory.h"
#include "support/options.h"
#include "support/output_file.h"
#include "support/progress.h"
#include "support/software.h"
#include "support/timing.h"

namespace glsort::demo {

namespace {

std::string text_of(const GladGLContext& gl, GLenum name) {
    const auto* text = reinterpret_cast<const char*>(gl.GetString(name));
    return text != nullptr ? text : "unknown";
}

// Versions of OpenGL ES begin with "OpenGL ES", versions of OpenGL with the number.
std::string version_of(const GladGLContext& gl) {
    const std::string text = text_of(gl, GL_VERSION);
    return text.starts_with("OpenGL") ? text : "OpenGL " + text;
}

// Before anything is made.
void check_picture_size(const GladGLContext& gl, const Settings& settings) {
    GLint largest = 0;
    gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    if (std::max(settings.width, settings.height) > largest)
        throw UsageError(fmt::format("--size {}x{}: the limit is {}x{} pixels, by the largest texture of the driver",
                                     settings.width, settings.height, largest, largest));
}

SceneMaker make_scene_maker(const GladGLContext& gl, const Settings& settings) {
    check_picture_size(gl, settings);
    Progress progress(settings.progress);
    progress.begin("particles: reading " + settings.scene);
    SceneMaker maker(settings.scene, settings.seed);
    progress.end();
    if (const std::string remark = maker.remark(); !remark.empty()) complain("particles: " + remark);
    return maker;
}

// What a median of these frames is of.
std::string frames_text(const History& frame_ms) {
    const std::size_t kept = frame_ms.values().size();
    if (kept == 1) return "of 1 frame";
    return fmt::format("medians of {}{} frames", kept < frame_ms.added() ? "the last " : "", kept);
}

}  // namespace

std::string name_of(Api api, int version) {
    return fmt::format("OpenGL {}{}.{}", api == Api::gl ? "" : "ES ", version / 10, version % 10);
}

GladGLContext Demo::load_functions(Api api, GetProcAddress get_proc_address) {
    GladGLContext gl{};
    const int version =
        api == Api::gl ? gladLoadGLContext(&gl, get_proc_address) : gladLoadGLES2Context(&gl, get_proc_address);
    if (version == 0) throw std::runtime_error("the driver's OpenGL functions cannot be loaded");
    return gl;
}

Demo::Demo(const Settings& settings, GetProcAddress get_proc_address)
    : settings_(settings),
      get_proc_address_(get_proc_address),
      gl_(load_functions(settings.api, get_proc_address)),
      maker_(make_scene_maker(gl_, settings)),
      device_(gl_, settings.api, get_proc_address, bytes_of_element(maker_.makes_splats())),
      method_{.count = settings.count.value_or(maker_.usual_count()),
              .backend = settings.backend,
              .algorithm = settings.algorithm,
              .emitters = settings.emitters.value_or(maker_.usual_emitters()),
              .keys = settings.keys},
      scene_(make_scene(method_)),
      renderer_(gl_, settings.api, get_proc_address, scene_, method_),
      camera_(scene_.yaw, scene_.pitch, settings.zoom) {
    scene_ = {};
}

// Nothing is made where there is no room.
ParticleScene Demo::make_scene(const Method& method) const {
    device_.check_room(method);
    const std::uint32_t count = method.count;
    require_memory("--count " + count_text(count), std::uint64_t{count} * (sizeof(Splat) + 2 * sizeof(Place)),
                   free_memory(), "the computer's");
    Progress progress(settings_.progress);
    progress.begin(fmt::format("particles: making {} {}", count, things()));
    return maker_.make(count, method.emitters);
}

void Demo::choose(const Method& method) {
    device_.check_room(method);
    if (method.count == method_.count && method.emitters == method_.emitters)
        renderer_.load(method);
    else
        renderer_.load(make_scene(method), method);
    method_ = method;
    take_times(true);  // Times of the old method.
    times_.fill({});
    visible_.reset();
    sorted_frames_ = 0;
    sort_ms_ = History(History::of_report);
}

void Demo::resize(int width, int height, float covered) {
    renderer_.resize(width, height);
    camera_.frame(renderer_.elements().positions(), renderer_.elements().largest_radius(),
                  renderer_.aspect() * (1.0f - covered));
}

void Demo::take_times(bool wait) {
    for (const Stage stage : all_stages)
        while (const std::optional<double> time = renderer_.take_time(stage, wait)) {
            times_[static_cast<std::size_t>(stage)].add(*time);
            if (stage == Stage::sort) sort_ms_.add(*time);
        }
    while (const std::optional<std::uint32_t> visible = renderer_.take_visible(wait))
        visible_ = visible;
}

double Demo::frame(double seconds, const FrameOptions& options, float covered) {
    using Clock = std::chrono::steady_clock;
    std::chrono::duration<double, std::milli> verifying{0.0};
    ++frames_;
    renderer_.begin(seconds, camera_, covered);
    if (options.sorts()) {
        renderer_.sort();
        ++sorted_frames_;
        if (settings_.verify) {
            gl_.Finish();  // Earlier work belongs to the frame.
            const Clock::time_point start = Clock::now();
            if (const std::string problem = renderer_.check(); !problem.empty())
                throw std::runtime_error(fmt::format("frame {} is in a wrong order: {}", frames_, problem));
            verifying += Clock::now() - start;
        }
    }
    renderer_.draw(options);
    take_times(false);
    if (!options.sorts()) visible_.reset();
    covered_ = covered;
    if (const GLenum error = gl_.GetError(); error != GL_NO_ERROR)
        throw std::runtime_error(fmt::format("frame {}: OpenGL error {:#x}", frames_, error));
    return verifying.count();
}

void Demo::say(const std::string& text) const {
    is_standard_output(settings_.output) ? complain(text) : print(text + "\n");
}

void Demo::report(const History& frame_ms, const std::filesystem::path& written) {
    take_times(true);

    std::string what = fmt::format("{} {} of {}", method_.count, things(),
                                   method_.emitters == 1 ? "1 emitter" : fmt::format("{} emitters", method_.emitters));
    if (sorted_frames_ > 0)
        what += fmt::format("; f32 keys ({}), {}",
                            method_.keys.by == SortKey::depth ? "depth in view space" : "distance from the eye",
                            to_string(renderer_.sorter().spec().direction));
    else
        what += "; not sorted: array order";
    std::string text = fmt::format("what     {}\n", what);
    if (visible_) text += fmt::format("visible  {} of {} in the last frame\n", *visible_, method_.count);
    text += fmt::format("where    {}; {}\n", text_of(gl_, GL_RENDERER), version_of(gl_));
    if (sorted_frames_ > 0) text += fmt::format("how      {}\n", method_name());
    std::string speed;
    if (!sort_ms_.empty()) {
        const std::vector<double> at_full_clock = renderer_.sorts_at_full_clock();
        const double ms = at_full_clock.empty() ? sort_ms_.median() : median(at_full_clock);
        // A software rasteriser runs on the CPU, whose clock does not wait for a GPU's work.
        const char* clock = !at_full_clock.empty()                   ? " at full clocks"
                            : is_software(text_of(gl_, GL_RENDERER)) ? ""
                                                                     : " (the GPU may not run at full clocks)";
        speed = fmt::format("{:.3f} ms per sort{}, {:.2f} Mitems/s; ", ms, clock,
                            1e-3 * static_cast<double>(method_.count) / std::max(ms, 1e-6));
    }
    if (!frame_ms.empty())
        text += fmt::format("speed    {}{:.1f} ms per frame ({})\n", speed, frame_ms.median(), frames_text(frame_ms));
    if (!written.empty() && !is_standard_output(written)) text += fmt::format("picture  {}\n", written.string());
    if (settings_.verify && sorted_frames_ > 0)
        text += "verified";
    else if (settings_.verify)
        text += "not verified (nothing was sorted)";
    else
        text += "not verified (run with --verify)";
    say(text);
}

std::string Demo::method_name() const {
    const SceneSpec& spec = renderer_.sorter().spec();
    return fmt::format("{} {}", to_string(spec.backend), spec.algorithm);
}

}  // namespace glsort::demo
