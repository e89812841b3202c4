#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "demo.h"
#include "settings.h"
#include "support/window.h"

namespace glsort::demo {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* keys_text =
    "drag    look from elsewhere\n"
    "wheel   nearer, farther\n"
    "SPACE   stop and go\n"
    "S       sort, or draw in array order\n"
    "P, F12  write the picture to particles-1.png, particles-2.png, ...\n"
    "H       print this\n"
    "ESC     quit\n";

Window open_window(const Settings& settings) {
    std::optional<std::runtime_error> failure;
    for (const int version : versions_to_try(settings)) {
        try {
            return Window({.title = "particles",
                           .width = settings.width,
                           .height = settings.height,
                           .api = settings.api,
                           .major = version / 10,
                           .minor = version % 10});
        } catch (const std::runtime_error& error) {
            failure = error;
        }
    }
    throw *failure;
}

std::filesystem::path unused_name() {
    for (int i = 1;; ++i) {
        std::filesystem::path path = fmt::format("particles-{}.png", i);
        if (!std::filesystem::exists(path)) return path;
    }
}

// The window's state, and what the user does to it.
class Interaction {
  public:
    Interaction(Demo& demo, Window& window, bool sorted)
        : demo_(demo), window_(window), sorted_(sorted) {
        window.events().key = [this](int key, int action, int) {
            if (action == GLFW_PRESS) press(key);
        };
        window.events().button = [this](int button, int action, int) {
            if (button == GLFW_MOUSE_BUTTON_LEFT) dragging_ = action == GLFW_PRESS;
        };
        window.events().cursor = [this](double x, double y) { move_cursor(x, y); };
        window.events().scroll = [this](double, double y) {
            demo_.camera().zoom(std::pow(0.9f, static_cast<float>(y)));
            changed_ = true;
        };
        window.events().resize = [this](int, int) { changed_ = true; };
    }

    bool sorted() const { return sorted_; }
    bool paused() const { return paused_; }
    /// Whether there is something new to see since the last call, in a scene that stands still.
    bool take_changed() { return std::exchange(changed_, false); }
    /// As take_changed(), for pictures asked for.
    bool take_picture_wanted() { return std::exchange(picture_wanted_, false); }

  private:
    void press(int key) {
        changed_ = true;
        switch (key) {
            case GLFW_KEY_ESCAPE:
                window_.close();
                break;
            case GLFW_KEY_SPACE:
                paused_ = !paused_;
                break;
            case GLFW_KEY_S:
                sorted_ = !sorted_;
                break;
            case GLFW_KEY_P:
            case GLFW_KEY_F12:
                picture_wanted_ = true;
                break;
            case GLFW_KEY_H:
                fmt::print("{}", keys_text);
                std::fflush(stdout);
                break;
            default:
                break;
        }
    }

    void move_cursor(double x, double y) {
        if (dragging_) {
            const float radians_per_length =
                3.0f / static_cast<float>(std::max(1, window_.size().height));
            demo_.camera().orbit(-radians_per_length * static_cast<float>(x - x_),
                                 radians_per_length * static_cast<float>(y - y_));
            changed_ = true;
        }
        x_ = x;
        y_ = y;
    }

    Demo& demo_;
    Window& window_;
    bool sorted_;
    bool paused_ = false;
    bool dragging_ = false;
    bool changed_ = true;
    bool picture_wanted_ = false;
    double x_ = 0.0;
    double y_ = 0.0;
};

std::string title_of(const Demo& demo, bool sorted) {
    std::string title = fmt::format("{} particles, {}", demo.count(), demo.method());
    if (!sorted) return title + ", UNSORTED";
    if (const std::optional<double> ms = demo.sort_ms()) title += fmt::format(", {:.2f} ms", *ms);
    return title + ", sorted";
}

}  // namespace

int run_interactive(const Settings& settings) {
    Window window = open_window(settings);
    Demo demo(settings, Window::get_proc_address());
    Interaction interaction(demo, window, settings.sort);
    say("press H in the window for a list of keys");

    Size size;
    double seconds = 0.0;
    std::vector<double> frame_ms;
    Clock::time_point last = Clock::now();
    Clock::time_point titled;
    bool titled_sorted = !interaction.sorted();
    while (!window.should_close() && frame_ms.size() < settings.frames.value_or(UINT64_MAX)) {
        const Size now_size = window.framebuffer_size();
        const bool hidden = now_size.width == 0 || now_size.height == 0;
        if (hidden || (interaction.paused() && !interaction.take_changed())) {
            window.wait_events(0.2);
            last = Clock::now();
            continue;
        }
        if (now_size.width != size.width || now_size.height != size.height) {
            size = now_size;
            demo.resize(size.width, size.height);
        }

        const bool sorted = interaction.sorted();
        const double verifying = demo.frame(seconds, sorted);
        demo.renderer().show(0);
        window.swap_buffers();
        if (interaction.take_picture_wanted()) {
            const std::filesystem::path path = unused_name();
            demo.write_screenshot(path);
            fmt::print("{}\n", path.string());
            std::fflush(stdout);
        }

        const Clock::time_point now = Clock::now();
        const double elapsed = std::chrono::duration<double>(now - last).count();
        last = now;
        frame_ms.push_back(1e3 * elapsed - verifying);
        if (sorted != titled_sorted || now - titled > std::chrono::milliseconds(250)) {
            window.set_title(title_of(demo, sorted));
            titled = now;
            titled_sorted = sorted;
        }
        window.poll_events();
        if (!interaction.paused()) {
            const double step = std::min(elapsed, 0.1);  // slow frames: slow motion, not leaps
            seconds += step;
            demo.camera().orbit(orbit_speed * static_cast<float>(step), 0.0f);
        }
    }
    if (!settings.screenshot.empty() && size.width > 0) demo.write_screenshot(settings.screenshot);
    demo.report(frame_ms);
    return 0;
}

}  // namespace glsort::demo
