#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "offscreen.h"
#include "options.h"
#include "pane.h"
#include "support/headless_context.h"
#include "support/memory.h"
#include "support/picture_writer.h"
#include "support/progress.h"
#include "viewer.h"

namespace glsort::demo {

namespace {

HeadlessContext open_headless(const Options& options) {
    std::string failure;
    for (const int version : versions_to_try(options)) {
        try {
            return HeadlessContext({.api = Api::gl, .major = version / 10, .minor = version % 10});
        } catch (const std::runtime_error& error) {
            if (failure.empty()) failure = error.what();
        }
    }
    throw std::runtime_error(failure);
}

// The number of ops before each picture. One picture: the middle. Several: evenly from the input to the result.
std::vector<std::size_t> moments_of(std::size_t ops, std::uint32_t frames) {
    if (frames == 1) return {(ops + 1) / 2};
    std::vector<std::size_t> moments;
    for (std::uint32_t i = 0; i < frames; ++i)
        moments.push_back((ops * i + (frames - 1) / 2) / (frames - 1));
    return moments;
}

// Draws the ImGui frame that `content` makes.
class Painter {
  public:
    Painter(const Device& device, Size size, float scale)
        : size_(size), gui_(size, scale), offscreen_(device.gl, size) {}

    Picture draw(const std::function<void(const Gui&)>& content) {
        // ImGui needs one frame to lay out new content.
        for (int i = 0; i < 2; ++i) {
            gui_.begin_frame();
            content(gui_);
            offscreen_.begin();
            gui_.end_frame();
        }
        return offscreen_.picture();
    }
    Size size() const { return size_; }

  private:
    Size size_;
    Gui gui_;
    Offscreen offscreen_;
};

// Records the sort alone, without the window's controls and panels.
void record_sort(const Options& options, const Device& device, Painter& painter, PictureWriter& pictures,
                 Progress& progress) {
    Run run(options.input, method_for(options, device), &device);
    const auto views = make_views();
    const View& view = choose_view(views, options.view, run.program());
    Images images(device.gl);
    const Point size{static_cast<float>(options.size.width), static_cast<float>(options.size.height)};
    std::uint64_t drawn = 0;
    progress.begin("stages: recording", options.frames);
    for (const std::size_t moment : moments_of(run.ops(), options.frames)) {
        run.go_to(moment);
        pictures.add(painter.draw([&](const Gui& gui) {
            ImGui::SetNextWindowPos({0.0f, 0.0f});
            ImGui::SetNextWindowSize({size.x, size.y});
            ImGui::Begin("picture", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
            draw_pane(run, view, std::nullopt, {}, size, gui, images);
            ImGui::End();
            images.end_frame();
        }));
        progress.at(++drawn);
    }
}

// Records the whole window.
void record_window(const Options& options, const Device& device, Painter& painter, PictureWriter& pictures,
                   Progress& progress) {
    Viewer viewer(options, device);
    Player& player = viewer.player();
    const auto go_on = [&player] {
        do
            player.update(0.0, 1.0);
        while (player.making() || !player.arrived());
        for (const Player::Slot& slot : player.slots())
            if (slot.run == nullptr) throw Error(slot.error);
    };
    go_on();
    // Of two sorts, the one with more ops sets the pace.
    std::size_t longest = 0;
    for (std::size_t i = 0; i < player.slots().size(); ++i)
        if (player.slots()[i].run->ops() > player.slots()[longest].run->ops()) longest = i;
    std::uint64_t drawn = 0;
    progress.begin("stages: recording", options.frames);
    for (const std::size_t moment : moments_of(player.slots()[longest].run->ops(), options.frames)) {
        player.seek(longest, moment);
        go_on();
        pictures.add(painter.draw([&](const Gui& gui) { viewer.draw(painter.size(), 0.0, gui); }));
        progress.at(++drawn);
    }
}

}  // namespace

std::string run_headless(const Options& options) {
    const HeadlessContext context = open_headless(options);
    const Device device = make_device(HeadlessContext::get_proc_address());
    constexpr double seconds = 0.5;
    PictureWriter pictures(options.output, options.frames, seconds);
    const Size size = options.size;
    require_memory(fmt::format("--frames {} --size {}x{}", options.frames, size.width, size.height),
                   pictures.bytes(options.frames, size.width, size.height), free_memory(), "the computer's");
    Painter painter(device, size, options.scale);
    Progress progress(options.progress);
    progress.begin("stages: making the sort");
    if (options.panels || options.compared)
        record_window(options, device, painter, pictures, progress);
    else
        record_sort(options, device, painter, pictures, progress);
    progress.begin("stages: writing");
    pictures.finish();
    progress.end();
    return pictures.written();
}

}  // namespace glsort::demo
