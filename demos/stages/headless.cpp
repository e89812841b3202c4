#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "offscreen.h"
#include "options.h"
#include "pane.h"
#include "support/gif.h"
#include "support/headless_context.h"

namespace glsort::demo {

namespace {

HeadlessContext open_headless() {
    try {
        return HeadlessContext({.api = Api::gl, .major = 4, .minor = 3});
    } catch (const std::runtime_error&) {
        return HeadlessContext({.api = Api::gl, .major = 3, .minor = 3});
    }
}

// After how many ops each picture is taken: one in the middle; several from the input to the result.
std::vector<std::size_t> moments_of(std::size_t ops, std::uint32_t frames) {
    if (frames == 1) return {(ops + 1) / 2};
    std::vector<std::size_t> moments;
    for (std::uint32_t i = 0; i < frames; ++i) moments.push_back((ops * i + (frames - 1) / 2) / (frames - 1));
    return moments;
}

void write_pictures(const std::filesystem::path& out, const std::vector<Picture>& pictures) {
    constexpr double seconds = 0.5;
    if (out.extension() == ".gif") return write_gif(out, pictures, seconds);
    if (out.extension() == ".png") return write_png(out, pictures.front());
    std::filesystem::create_directories(out);
    for (std::size_t i = 0; i < pictures.size(); ++i) write_png(out / fmt::format("{:04}.png", i), pictures[i]);
}

Picture draw_picture(const Run& run, const View& view, Gui& gui, Offscreen& offscreen, Images& images, Size size) {
    gui.begin_frame();
    ImGui::SetNextWindowPos({0.0f, 0.0f});
    ImGui::SetNextWindowSize({static_cast<float>(size.width), static_cast<float>(size.height)});
    ImGui::Begin("picture", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground);
    draw_pane(run, view, std::nullopt, {}, {static_cast<float>(size.width), static_cast<float>(size.height)}, gui, images);
    ImGui::End();
    offscreen.begin();
    gui.end_frame();
    images.end_frame();
    return offscreen.picture();
}

}  // namespace

void run_headless(const Options& options) {
    const HeadlessContext context = open_headless();
    const Device device = make_device(HeadlessContext::get_proc_address());
    Run run(options.input, method_for(options, device), &device);
    const auto views = make_views();
    const View& view = choose_view(views, options.view, run.program());

    Gui gui(options.size, options.scale);
    Offscreen offscreen(device.gl, options.size);
    Images images(device.gl);
    std::vector<Picture> pictures;
    for (const std::size_t moment : moments_of(run.ops(), options.frames)) {
        run.go_to(moment);
        // ImGui lays out a window when it sees it for the second time.
        if (pictures.empty()) draw_picture(run, view, gui, offscreen, images, options.size);
        pictures.push_back(draw_picture(run, view, gui, offscreen, images, options.size));
    }
    write_pictures(options.out, pictures);
}

}  // namespace glsort::demo
