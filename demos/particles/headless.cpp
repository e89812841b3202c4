#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "controls.h"
#include "demo.h"
#include "history.h"
#include "overlay.h"
#include "settings.h"
#include "support/console.h"
#include "support/headless_context.h"
#include "support/memory.h"
#include "support/picture_writer.h"
#include "support/progress.h"

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

void run_headless(const Settings& settings) {
    using Clock = std::chrono::steady_clock;
    using Milliseconds = std::chrono::duration<double, std::milli>;

    const HeadlessContext context = open_context(settings);
    complain(fmt::format("{} on {}", name_of(context.api(), context.version()), context.platform()));
    Demo demo(settings, HeadlessContext::get_proc_address());
    const Size size{settings.width, settings.height};
    Controls controls{.method = demo.method(), .frame = settings.frame, .panel = settings.panels};
    std::optional<Overlay> overlay;
    if (settings.panels || settings.frame.split) overlay.emplace(size, settings.scale, demo.device(), settings.api);
    const float covered = overlay ? overlay->covered(controls, size) : 0.0f;
    demo.resize(size.width, size.height, covered);

    const std::uint64_t frames = settings.frames.value_or(3);
    // A GIF shows its pictures for two hundredths of a second or more.
    const bool gif = !settings.output.empty() && picture_target(settings.output, frames) == PictureTarget::gif;
    const double frame_seconds = gif ? 1.0 / 50.0 : 1.0 / 60.0;
    std::optional<PictureWriter> pictures;
    if (!settings.output.empty()) {
        pictures.emplace(settings.output, frames, frame_seconds);
        require_memory(fmt::format("--frames {} --size {}x{}", frames, size.width, size.height),
                       pictures->bytes(frames, size.width, size.height), free_memory(), "the computer's");
    }
    const bool each = pictures && picture_target(settings.output, frames) != PictureTarget::png;
    History frame_ms(History::of_report);
    Progress progress(settings.progress);
    progress.begin("particles: drawing frames", frames);
    for (std::uint64_t i = 0; i < frames; ++i) {
        const Clock::time_point start = Clock::now();
        if (i > 0) demo.camera().orbit(orbit_speed * static_cast<float>(frame_seconds), 0.0f);
        const double verifying = demo.frame(frame_seconds * static_cast<double>(i), settings.frame, covered);
        demo.finish();
        frame_ms.add(Milliseconds(Clock::now() - start).count() - verifying);
        if (each || (pictures && i + 1 == frames))
            pictures->add(demo.picture([&] {
                if (overlay) overlay->draw(demo, controls, size, settings.panels);
            }));
        progress.at(i + 1);
    }
    progress.begin("particles: writing");
    if (pictures) pictures->finish();
    progress.end();
    demo.report(frame_ms, settings.output);
}

}  // namespace glsort::demo
