#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "options.h"
#include "support/console.h"
#include "support/gl_picture.h"
#include "viewer.h"

namespace glsort::demo {

namespace {

Window open_window(const Options& options) {
    std::string failure;
    for (const int version : versions_to_try(options)) {
        try {
            return Window({.title = "stages",
                           .width = options.size.width,
                           .height = options.size.height,
                           .major = version / 10,
                           .minor = version % 10});
        } catch (const std::runtime_error& error) {
            failure = error.what();
        }
    }
    throw std::runtime_error(failure);
}

}  // namespace

void run_interactive(const Options& options) {
    using Clock = std::chrono::steady_clock;
    Window window = open_window(options);
    const Device device = make_device(Window::get_proc_address());
    Viewer viewer(options, device);
    Gui gui(window);

    bool picture_wanted = false;
    int frames_due = 3;  // ImGui settles some frames after every event
    window.events().key = [&](int key, int action, int modifiers) {
        frames_due = 3;
        if (action == GLFW_RELEASE) return;
        const std::optional<Command> command = command_of(key, modifiers);
        // The picture shortcut works even in a text field, because its key types nothing.
        if (!command || (gui.wants_keyboard() && command != Command::picture)) return;
        if (action == GLFW_REPEAT && !repeats(*command)) return;
        if (command == Command::quit) {
            // In front of an open list, the key is meant for the list.
            if (!gui.close_list()) window.close();
        } else if (command == Command::picture) {
            picture_wanted = true;
        } else {
            viewer.obey(*command);
        }
    };
    window.events().cursor = [&](double, double) { frames_due = 3; };
    window.events().button = [&](int, int, int) { frames_due = 3; };
    window.events().scroll = [&](double, double) { frames_due = 3; };
    window.events().resize = [&](int, int) { frames_due = 3; };

    std::string title;
    Clock::time_point last = Clock::now();
    while (!window.should_close()) {
        const Size size = window.framebuffer_size();
        const bool hidden = size.width == 0 || size.height == 0;
        if (hidden || (frames_due <= 0 && !viewer.busy())) {
            window.wait_events(0.25);
            last = Clock::now();
            // Shows comparisons that were counted meanwhile.
            frames_due = std::max(frames_due, 1);
            if (hidden) continue;
        }
        --frames_due;
        const Clock::time_point now = Clock::now();
        const double elapsed = std::chrono::duration<double>(now - last).count();
        last = now;

        gui.begin_frame();
        viewer.draw(window.size(), elapsed, gui);  // ImGui's unit is that of the cursor.
        device.gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
        device.gl.Viewport(0, 0, size.width, size.height);
        device.gl.ClearColor(0.09f, 0.10f, 0.12f, 1.0f);
        device.gl.Clear(GL_COLOR_BUFFER_BIT);
        gui.end_frame();
        if (picture_wanted) {
            picture_wanted = false;
            try {
                const std::filesystem::path path = unused_png(options.output / "stages");
                write_png(path, picture_of_framebuffer(device.gl, 0, size));
                print(path.string() + "\n");
            } catch (const std::runtime_error& error) {
                complain(std::string("stages: ") + error.what());
            }
        }
        window.swap_buffers();
        if (const std::string now_title = viewer.title(); now_title != title) window.set_title(title = now_title);
        window.poll_events();
    }
}

}  // namespace glsort::demo
