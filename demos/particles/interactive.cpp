#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "controls.h"
#include "demo.h"
#include "history.h"
#include "interaction.h"
#include "overlay.h"
#include "settings.h"
#include "support/console.h"
#include "support/picture.h"
#include "support/window.h"

namespace glsort::demo {

namespace {

using Clock = std::chrono::steady_clock;

Window open_window(const Settings& settings) {
    std::string failure;
    for (const int version : versions_to_try(settings)) {
        try {
            return Window({.title = "particles",
                           .width = settings.width,
                           .height = settings.height,
                           .api = settings.api,
                           .major = version / 10,
                           .minor = version % 10});
        } catch (const std::runtime_error& error) {
            failure = error.what();
        }
    }
    throw std::runtime_error(failure);
}

std::string title_of(const Demo& demo, const FrameOptions& frame) {
    std::string title = fmt::format("{} {}, {}", demo.method().count, demo.things(), demo.method_name());
    if (!frame.sorts()) return title + ", UNSORTED";
    if (const std::optional<std::uint32_t> visible = demo.visible()) title += fmt::format(", {} visible", *visible);
    const History& times = demo.times(Stage::sort);
    if (!times.empty()) title += fmt::format(", {:.2f} ms", times.values().back());
    return title + (frame.split ? ", sorted on the left" : ", sorted");
}

// The program in a window: the wishes of the user, and the current state.
class Session {
  public:
    explicit Session(const Settings& settings)
        : settings_(settings),
          window_(open_window(settings)),
          demo_(settings, Window::get_proc_address()),
          controls_{.method = demo_.method(), .frame = settings.frame},
          interaction_(window_, demo_, demo_.device(), controls_,
                       {[this] { return overlay_.wants_mouse(); }, [this] { return overlay_.wants_keyboard(); },
                        [this] { return overlay_.close_list(); }}),
          overlay_(window_, demo_.device(), settings.api) {
        // Not before there is a window.
        complain(settings.api == Api::gles ? "OpenGL ES: no panel; press H in the window for a list of keys"
                                           : "press H in the window for a list of keys");
    }

    void run() {
        while (!window_.should_close() && frame_ms_.added() < settings_.frames.value_or(UINT64_MAX))
            run_frame();
        demo_.report(frame_ms_, write_output());
    }

  private:
    // Writes the picture of --output. Returns the name of the file. Empty: nothing was written.
    std::filesystem::path write_output() {
        if (settings_.output.empty()) return {};
        if (size_.width == 0) {
            complain("particles: --output " + settings_.output.string() +
                     " was not written: the window was never visible");
            return {};
        }
        write_screenshot(settings_.output);
        return settings_.output;
    }

    void run_frame() {
        const Size size = window_.framebuffer_size();
        const bool hidden = size.width == 0 || size.height == 0;
        if (hidden || (controls_.paused && !interaction_.take_changed())) {
            window_.wait_events(0.2);
            last_ = Clock::now();
            grant_wishes();
            return;
        }
        size_ = size;
        if (!controls_.paused) {
            const double step = std::min(elapsed_, 0.1);  // Slow frames give slow motion, not leaps.
            seconds_ += step;
            demo_.camera().orbit(orbit_speed * static_cast<float>(step), 0.0f);
        }

        const double verifying = draw(overlay_.covered(controls_, window_.size()));
        demo_.renderer().show(0);
        overlay_.draw(demo_, controls_, window_.size(), true, !overlay_.wants_mouse() && interaction_.is_on_line());
        window_.swap_buffers();

        const Clock::time_point now = Clock::now();
        elapsed_ = std::chrono::duration<double>(now - last_).count();
        last_ = now;
        frame_ms_.add(1e3 * elapsed_ - verifying);
        if (now - titled_ > std::chrono::milliseconds(250) || controls_.frame != titled_frame_ ||
            (controls_.paused && demo_.visible() != titled_visible_)) {
            window_.set_title(title_of(demo_, controls_.frame));
            titled_ = now;
            titled_frame_ = controls_.frame;
            titled_visible_ = demo_.visible();
        }
        window_.poll_events();
        grant_wishes();
    }

    // As Demo::frame(), in the current size of the window.
    double draw(float covered) {
        const Framing framing{size_.width, size_.height, demo_.method().count, demo_.method().emitters, covered};
        if (framing != framing_) demo_.resize(size_.width, size_.height, covered);
        framing_ = framing;
        return demo_.frame(seconds_, controls_.frame, covered);
    }

    void grant_wishes() {
        if (controls_.quit) window_.close();
        if (std::exchange(controls_.first_view, false)) demo_.camera().reset();
        if (controls_.method != demo_.method()) choose(controls_.method);
        if (std::exchange(controls_.picture, false)) {
            try {
                const std::filesystem::path path = unused_png("particles");
                write_screenshot(path);
                demo_.say(path.string());
            } catch (const std::runtime_error& error) {
                controls_.problem = error.what();
                complain(controls_.problem);
            }
        }
    }

    void choose(const Method& method) {
        try {
            demo_.choose(method);
            controls_.problem.clear();
        } catch (const std::exception& error) {
            controls_.problem = error.what();
            complain(controls_.problem);
        }
        controls_.method = demo_.method();
        titled_ = {};
        interaction_.change();
    }

    // Writes a picture with the current choices, which no frame may have shown yet. Without the panel, the picture
    // shows the area under the panel.
    void write_screenshot(const std::filesystem::path& path) {
        draw(settings_.panels ? overlay_.covered(controls_, window_.size()) : 0.0f);
        write_png(path, demo_.picture([this] { overlay_.draw(demo_, controls_, window_.size(), settings_.panels); }));
    }

    // The values that the distance of the camera depends on.
    struct Framing {
        int width = 0;
        int height = 0;
        std::uint32_t count = 0;
        std::uint32_t emitters = 0;
        float covered = 0.0f;
        bool operator==(const Framing&) const = default;
    };

    Settings settings_;
    Window window_;
    Demo demo_;
    Controls controls_;
    Interaction interaction_;
    Overlay overlay_;

    Size size_;  // The size of the framebuffer.
    Framing framing_;
    double seconds_ = 0.0;
    double elapsed_ = 0.0;  // Seconds between the last two frames.
    History frame_ms_{History::of_report};
    Clock::time_point last_ = Clock::now();
    Clock::time_point titled_;
    FrameOptions titled_frame_;
    std::optional<std::uint32_t> titled_visible_;
};

}  // namespace

void run_interactive(const Settings& settings) {
    Session(settings).run();
}

}  // namespace glsort::demo
