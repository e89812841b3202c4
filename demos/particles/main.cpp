#include <fmt/format.h>
#include <glsort/error.h>
#include <glsort/planner.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/contradictions.h"
#include "cli/program.h"
#include "cli/values.h"
#include "device.h"
#include "emitters.h"
#include "scenes.h"
#include "settings.h"
#include "shortcuts.h"
#include "support/console.h"
#include "support/file_access.h"
#include "support/options.h"
#include "support/picture_writer.h"

using namespace glsort;
using namespace glsort::demo;

namespace {

constexpr Size least_size{1, 1};
constexpr Size most_size{32768, 32768};

// The choice with this name, as to_string() gives names.
template <typename Choice>
Choice parse_choice_of(const char* what, const std::string& text, const std::vector<Choice>& choices) {
    std::vector<std::string> names;
    names.reserve(choices.size());
    for (const Choice choice : choices)
        names.emplace_back(to_string(choice));
    return choices[parse_choice(what, text, names)];
}

float parse_zoom(const std::string& text) {
    float zoom = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, zoom);
    if (error != std::errc() || stop != end || !(zoom >= 0.1f && zoom <= 20.0f))
        throw std::invalid_argument("\"" + text + "\" is not a zoom from 0.1 to 20");
    return zoom;
}

Backend parse_gl_backend(const std::string& text) {
    const Backend backend = parse_backend(text);
    if (backend == Backend::cpu)
        throw std::invalid_argument("cpu sorts no OpenGL buffer; choose automatic, fragment or compute");
    return backend;
}

void check_algorithm(const Settings& settings) {
    // What no context could make possible. For automatic the planner takes the fragment backend where it can.
    const bool fragment = settings.backend == Backend::fragment;
    SortSpec spec{.capacity = 1, .algorithm = settings.algorithm, .backend = settings.backend, .gpu_count = true};
    if (fragment) spec.layout = Layout::row_wise;
    try {
        plan({.spec = spec, .n = 1});
    } catch (const Error& error) {
        throw UsageError("--algorithm: " + without_function(error.what()));
    }
}

void check_scene(const std::string& scene) {
    const auto& names = scene_names();
    if (scene == "-" || std::find(names.begin(), names.end(), scene) != names.end()) return;
    // Names of scenes are words. A text with a dot or a slash names a file, even if the file is missing.
    std::error_code error;
    if (scene.find_first_of("./") != std::string::npos || std::filesystem::exists(scene, error))
        return check_readable(scene);
    const std::string meant = nearest(scene, names);
    throw UsageError(fmt::format("--scene: \"{}\" is neither a file nor one of: {}{}", scene, listed(names),
                                 meant.empty() ? "" : "; did you mean " + meant + "?"));
}

void check_output(const Settings& settings) {
    if (settings.output.empty()) return;
    const std::uint64_t pictures = settings.headless ? settings.frames.value_or(3) : 1;
    try {
        const PictureTarget target = picture_target(settings.output, pictures);
        if (!settings.headless && target != PictureTarget::png)
            throw std::invalid_argument(settings.output.string() + ": with a window the picture is one .png file");
        if (target != PictureTarget::gif && settings.height > most_png_rows(settings.width))
            throw UsageError(fmt::format("--size {}x{}: the limit is {} rows of this width in a PNG file",
                                         settings.width, settings.height, most_png_rows(settings.width)));
    } catch (const std::invalid_argument& refusal) {
        throw UsageError(std::string("--output: ") + refusal.what());
    }
}

// Refuses options that are wrong on any context.
void check(const Settings& settings) {
    if (settings.version) {
        try {
            check_gl_version(*settings.version, settings.api);
        } catch (const std::invalid_argument& refusal) {
            throw UsageError(std::string("--gl-version: ") + refusal.what());
        }
    }
    check_algorithm(settings);
    check_scene(settings.scene);
    check_output(settings);
}

void add_scene_options(CLI::App& app, Settings& settings) {
    add_value(
        app, "-n,--count", settings.count,
        [](const std::string& text) { return static_cast<std::uint32_t>(parse_within(text, 1, most_particles)); },
        "Particles, 1 to 2^26 (digits or 2^K)")
        ->type_name("N")
        ->default_str("200000, 40000 splats, or as many as the file of --scene has; of a mesh 200000 at the least");
    offer(
        app.add_option("--scene", settings.scene,
                       listed(scene_names()) + ", or a file with a mesh or a cloud of points (PLY, OBJ, STL, glTF) or "
                                               "with Gaussian splats (PLY); - is standard input")
            ->type_name("NAME|FILE")
            ->take_last()
            ->default_str(settings.scene),
        scene_names());
    add_seed(app, settings.seed);
    add_value(
        app, "--emitters", settings.emitters,
        [](const std::string& text) { return static_cast<std::uint32_t>(parse_within(text, 1, most_emitters)); },
        "Emitters that share out the particles, 1 to 8; all are sorted as one")
        ->type_name("K")
        ->default_str("3 of knot and galaxy, otherwise 1");
}

void add_sort_options(CLI::App& app, Settings& settings) {
    offer(add_value(app, "--algorithm", settings.algorithm, parse_algorithm,
                    "Algorithm and variant: " + listed(scene_algorithms()))
              ->type_name("NAME[:VARIANT]")
              ->default_str(settings.algorithm),
          scene_algorithms());
    add_value(app, "--backend", settings.backend, parse_gl_backend,
              "Where to sort: fragment (OpenGL 3.3, ES 3.0) or compute (OpenGL 4.3, ES 3.1)")
        ->type_name("automatic|fragment|compute")
        ->default_str("automatic");
    add_switch(app, "sort", settings.frame.sort, "Sorts; --no-sort draws in array order, to compare");
    add_switch(app, "split", settings.frame.split, "Sorted on the left, in array order on the right");
    add_value(
        app, "--sort-by", settings.keys.by,
        [](const std::string& text) {
            return parse_choice_of<SortKey>("key", text, {SortKey::depth, SortKey::distance});
        },
        "Sorts by depth (along the axis of view) or distance (from the eye)")
        ->type_name("depth|distance")
        ->default_str("depth");
    add_value(
        app, "--keys-on", settings.keys.maker,
        [](const std::string& text) {
            return parse_choice_of<KeyMaker>("place", text, {KeyMaker::gpu, KeyMaker::cpu});
        },
        "Computes the keys on the gpu, or, to compare, on the cpu")
        ->type_name("gpu|cpu")
        ->default_str("gpu");
    add_switch(app, "frustum", settings.keys.frustum,
               "Neither sorts nor draws what the camera does not see; --no-frustum sorts all, to compare");
    add_switch(app, "verify", settings.verify,
               "Reads back the places and the order of every frame, and compares with keys that the CPU computes; "
               "exit code 1 where the order differs");
}

void add_picture_options(CLI::App& app, Settings& settings) {
    add_value(
        app, "--frames", settings.frames, [](const std::string& text) { return parse_within(text, 1, 1'000'000'000); },
        "Frames to draw; with --headless, time goes on by 1/60 s each, or 1/50 s in a GIF")
        ->type_name("N")
        ->default_str("3 with --headless, without end in a window");
    app.add_flag("--headless,!--window", settings.headless, "Without a window, and without a display")->take_last();
    app.add_option_function<std::string>(
           "--size",
           [&settings](const std::string& text) {
               try {
                   const Size size = parse_size(text, least_size, most_size);
                   settings.width = size.width;
                   settings.height = size.height;
               } catch (const std::exception& error) {
                   throw refusal_of("--size", text, error);
               }
           },
           "Size of the pictures in pixels, or of the window in screen coordinates")
        ->take_last()
        ->type_name("WxH")
        ->default_str("1280x720");
    add_path(
        app, "-o,--output", settings.output,
        "A .png file for the last frame; with --headless also a folder for PNG files or a .gif file for all frames; "
        "- is standard output (PNG of one frame or of a window, GIF of more frames), and the report goes to standard "
        "error then")
        ->type_name("DIR|FILE");
    add_value(app, "--zoom", settings.zoom, parse_zoom,
              "How many times nearer the camera begins, 0.1 to 20; up to 1, all is in view")
        ->type_name("X")
        ->default_str("1");
    add_switch(app, "panels", settings.panels,
               "Pictures show the panel, too; at scale 1, only pictures from 594x300 pixels on have room");
    add_value(app, "--scale", settings.scale, parse_scale,
              "Scale of the panel's texts with --headless, 0.5 to 4; in a window it is the display's")
        ->type_name("X")
        ->default_str("1");
    add_value(app, "--api", settings.api, parse_api, "OpenGL or OpenGL ES")->type_name("gl|gles")->default_str("gl");
    add_value(app, "--gl-version", settings.version, parse_gl_version,
              "Lowest version of the context; drivers may give a newer one")
        ->type_name("MAJOR.MINOR")
        ->default_str("what the backend needs; for automatic 4.3 (ES 3.1), or else 3.3 (ES 3.0)");
    add_progress(app, settings.progress);
}

void add_contradictions(CLI::App& app) {
    std::vector<Contradiction> list = contradictions_of_compute(app, "--backend");
    list.push_back({{"--no-sort", "--split"}, "a split screen sorts its left part", {}});
    list.push_back({{"--no-sort", "--frustum"}, "the sort leaves out what the camera does not see", {}});
    list.push_back({{"--panels", "--api gles"}, "the panel needs OpenGL", {}});
    list.push_back({{"--scale", "--api gles"}, "the texts that it scales need OpenGL", {}});
    list.push_back({{"--scale"}, "a window has the scale of its display", {"--headless"}});
    list.push_back({{"--scale"}, "other pictures have no texts", {"--panels", "--split"}});
    refuse_contradictions(app, std::move(list));
}

}  // namespace

int main(int argc, char** argv) {
    Settings settings;
    CLI::App app(
        "Draws translucent particles in motion, back to front: glsort leaves out what the camera does not see and "
        "sorts "
        "the rest by depth, in GPU memory. The sorted indices are the index buffer of the draw call.",
        "particles");
    app.footer("In the window:\n" + shortcuts_text());
    add_scene_options(app, settings);
    add_sort_options(app, settings);
    add_picture_options(app, settings);
    add_contradictions(app);
    return run_program(app, argc, argv, [&settings] {
        check(settings);
        settings.headless ? run_headless(settings) : run_interactive(settings);
    });
}
