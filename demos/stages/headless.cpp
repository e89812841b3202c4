#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "offscreen.h"
#include "options.h"
#include "pane.h"
#include "support/gif.h"
#include "support/headless_context.h"
#include "viewer.h"

namespace glsort::demo {

namespace {

HeadlessContext open_headless() {
    try {
        return HeadlessContext({.api = Api::gl, .major = 4, .minor = 3});
    } catch (const std::runtime_error&) {
        return HeadlessContext({.api = Api::gl, .major = 3, .minor = 3});
    }
}

// The number of ops before each picture. One picture: the middle. Several: evenly from the input to the result.
std::vector<std::size_t> moments_of(std::size_t ops, std::uint32_t frames) {
    if (frames == 1) return {(ops + 1) / 2};
    std::vector<std::size_t> moments;
    for (std::uint32_t i = 0; i < frames; ++i)
        moments.push_back((ops * i + (frames - 1) / 2) / (frames - 1));
    return moments;
}

// Writes pictures one after the other. The palette of a GIF file depends on all pictures, so the pictures of a GIF file
// are kept until `finish`.
class PictureWriter {
  public:
    explicit PictureWriter(std::filesystem::path out) : out_(std::move(out)) {
        if (is_folder()) std::filesystem::create_directories(out_);
    }
    void add(Picture picture) {
        if (out_.extension() == ".gif")
            kept_.push_back(std::move(picture));
        else
            write_png(is_folder() ? out_ / fmt::format("{:04}.png", number_++) : out_, picture);
    }
    void finish() const {
        constexpr double seconds = 0.5;
        if (!kept_.empty()) write_gif(out_, kept_, seconds);
    }

  private:
    bool is_folder() const { return out_.extension() != ".gif" && out_.extension() != ".png"; }

    std::filesystem::path out_;
    std::vector<Picture> kept_;
    int number_ = 0;
};

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
void record_sort(const Options& options, const Device& device, Painter& painter, PictureWriter& pictures) {
    Run run(options.input, method_for(options, device), &device);
    const auto views = make_views();
    const View& view = choose_view(views, options.view, run.program());
    Images images(device.gl);
    const Point size{static_cast<float>(options.size.width), static_cast<float>(options.size.height)};
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
    }
}

// Records the whole window.
void record_window(const Options& options, const Device& device, Painter& painter, PictureWriter& pictures) {
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
    for (const std::size_t moment : moments_of(player.slots()[longest].run->ops(), options.frames)) {
        player.seek(longest, moment);
        go_on();
        pictures.add(painter.draw([&](const Gui& gui) { viewer.draw(painter.size(), 0.0, gui); }));
    }
}

}  // namespace

void run_headless(const Options& options) {
    const HeadlessContext context = open_headless();
    const Device device = make_device(HeadlessContext::get_proc_address());
    Painter painter(device, options.size, options.scale);
    PictureWriter pictures(options.out);
    if (options.window || options.compared)
        record_window(options, device, painter, pictures);
    else
        record_sort(options, device, painter, pictures);
    pictures.finish();
}

}  // namespace glsort::demo
