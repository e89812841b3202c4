#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "controls.h"
#include "demo.h"
#include "device.h"
#include "overlay.h"
#include "settings.h"
#include "support/headless_context.h"

namespace glsort::demo {

namespace {

HeadlessContext open_context(const Settings& settings) {
    std::string failures;
    for (const int version : versions_to_try(settings)) {
        try {
            return HeadlessContext({.api = settings.api, .major = version / 10, .minor = version % 10});
        } catch (const std::runtime_error& error) {
            failures += (failures.empty() ? "" : "; ") + std::string(error.what());
        }
    }
    throw std::runtime_error(failures);
}

}  // namespace

int run_headless(const Settings& settings) {
    using Clock = std::chrono::steady_clock;
    using Milliseconds = std::chrono::duration<double, std::milli>;
    constexpr double frame_seconds = 1.0 / 60.0;

    const HeadlessContext context = open_context(settings);
    say(fmt::format("{} on {}", name_of(context.api(), context.version()), context.platform()));
    Demo demo(settings, HeadlessContext::get_proc_address());
    const Size size{settings.width, settings.height};
    const Device device(demo.gl(), settings.api, HeadlessContext::get_proc_address(),
                        demo.renderer().elements().bytes_each());
    Controls controls{.method = demo.method(), .frame = settings.frame, .panel = settings.panel};
    std::optional<Overlay> overlay;
    if (settings.panel || settings.frame.split) overlay.emplace(size, settings.scale, device, settings.api);
    const float covered = overlay ? overlay->covered(controls, size) : 0.0f;
    demo.resize(size.width, size.height, covered);

    const std::uint64_t frames = settings.frames.value_or(3);
    std::vector<double> frame_ms;
    std::optional<Clock::time_point> said;
    for (std::uint64_t i = 0; i < frames; ++i) {
        const Clock::time_point start = Clock::now();
        if (!said || start - *said > std::chrono::milliseconds(500)) {
            say(fmt::format("frame {} of {}", i + 1, frames));
            said = start;
        }
        if (i > 0) demo.camera().orbit(orbit_speed * static_cast<float>(frame_seconds), 0.0f);
        const double verifying = demo.frame(frame_seconds * static_cast<double>(i), settings.frame, covered);
        demo.finish();
        frame_ms.push_back(Milliseconds(Clock::now() - start).count() - verifying);
    }
    if (!settings.screenshot.empty()) {
        demo.write_screenshot(settings.screenshot, [&] {
            if (overlay) overlay->draw(demo, controls, size, settings.panel);
        });
    }
    demo.report(frame_ms);
    return 0;
}

}  // namespace glsort::demo
