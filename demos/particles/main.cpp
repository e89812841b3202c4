#include <fmt/format.h>
#include <glsort/error.h>
#include <glsort/planner.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "device.h"
#include "scenes.h"
#include "settings.h"
#include "shortcuts.h"
#include "support/cli.h"
#include "support/options.h"

using namespace glsort;
using namespace glsort::demo;

namespace {

constexpr int largest_side = 32768;

// Reads all of `text` as a decimal number within limits.
bool parse_number(std::string_view text, int low, int high, int& value) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end && value >= low && value <= high;
}

// Reads the numbers on both sides of a separator in `text`.
bool parse_pair(std::string_view text, char separator, int low, int high, int& first, int& second) {
    const std::size_t cut = text.find(separator);
    return cut != std::string_view::npos && parse_number(text.substr(0, cut), low, high, first) &&
           parse_number(text.substr(cut + 1), low, high, second);
}

/// The texts of options whose members of Settings have other types.
struct Texts {
    std::string count;
    std::string frames;
    std::string seed = "1";
    std::string backend = "automatic";
    bool no_sort = false;
    std::string size = "1280x720";
    std::string api = "gl";
    std::string version;
    std::string screenshot;
    std::string key = "depth";
    std::string keys_on = "gpu";
    std::string scale = "1";
};

std::uint64_t parse_within(const char* option, const std::string& text, std::uint64_t low, std::uint64_t high) {
    std::uint64_t value = 0;
    try {
        value = parse_count(text);
    } catch (const std::invalid_argument& error) {
        throw CLI::ValidationError(option, error.what());
    }
    if (value < low || value > high)
        throw CLI::ValidationError(option, fmt::format("{} is not from {} to {}", text, low, high));
    return value;
}

// The choice with this name, as to_string() gives names.
template <typename Choice>
Choice parse_choice_of(const char* option, const std::string& text, const std::vector<Choice>& choices) {
    std::vector<std::string> names;
    for (const Choice choice : choices)
        names.emplace_back(to_string(choice));
    try {
        return choices[parse_choice(option, text, names)];
    } catch (const std::invalid_argument& error) {
        throw CLI::ValidationError(option, error.what());
    }
}

Backend backend_of(const std::string& text) {
    Backend backend = Backend::automatic;
    try {
        backend = backend_from_string(text);
    } catch (const Error& error) {
        throw CLI::ValidationError("--backend", error.what());
    }
    if (backend == Backend::cpu)
        throw CLI::ValidationError("--backend", "cpu sorts no OpenGL buffer; choose automatic, fragment or compute");
    return backend;
}

int parse_version(const std::string& text, Api api) {
    int major = 0;
    int minor = 0;
    if (!parse_pair(text, '.', 0, 9, major, minor))
        throw CLI::ValidationError("--gl-version", "\"" + text + "\" is not a version such as 3.3");
    const int version = 10 * major + minor;
    const int lowest = api == Api::gl ? 33 : 30;
    if (version < lowest)
        throw CLI::ValidationError("--gl-version", fmt::format("{} is too old: {} is the least", text,
                                                               api == Api::gl ? "OpenGL 3.3" : "OpenGL ES 3.0"));
    return version;
}

void finish(const Texts& texts, Settings& settings) {
    if (!texts.count.empty())
        settings.count = static_cast<std::uint32_t>(parse_within("--count", texts.count, 1, most_particles));
    if (!texts.frames.empty()) settings.frames = parse_within("--frames", texts.frames, 1, 1'000'000'000);
    settings.seed = parse_within("--seed", texts.seed, 0, UINT64_MAX);
    settings.frame.sort = !texts.no_sort;
    settings.backend = backend_of(texts.backend);
    settings.frame.key = parse_choice_of<SortKey>("--key", texts.key, {SortKey::depth, SortKey::distance});
    settings.frame.key_maker = parse_choice_of<KeyMaker>("--keys-on", texts.keys_on, {KeyMaker::gpu, KeyMaker::cpu});
    settings.scale = static_cast<float>(parse_within("--scale", texts.scale, 1, 4));
    if (!parse_pair(texts.size, 'x', 1, largest_side, settings.width, settings.height))
        throw CLI::ValidationError(
            "--size",
            fmt::format("\"{}\" is not WIDTHxHEIGHT, such as 1280x720, each from 1 to {}", texts.size, largest_side));
    if (texts.api != "gl" && texts.api != "gles")
        throw CLI::ValidationError("--api", "\"" + texts.api + "\" is unknown; choose gl or gles");
    settings.api = texts.api == "gl" ? Api::gl : Api::gles;
    if (!texts.version.empty()) settings.version = parse_version(texts.version, settings.api);
    try {
        choose_algorithm(settings.algorithm);
        // Refuses what no context can do.
        if (settings.backend != Backend::automatic)
            plan({.spec = {.algorithm = settings.algorithm, .backend = settings.backend}, .n = 1});
    } catch (const Error& error) {
        throw CLI::ValidationError("--algorithm", error.what());
    }

    const auto& names = scene_names();
    std::error_code error;
    if (std::find(names.begin(), names.end(), settings.scene) == names.end() &&
        !std::filesystem::is_regular_file(settings.scene, error))
        throw CLI::ValidationError(
            "--scene", fmt::format("\"{}\" is neither a file nor one of: {}", settings.scene, fmt::join(names, ", ")));
    settings.screenshot = texts.screenshot;
    const std::filesystem::path folder = settings.screenshot.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
        throw CLI::ValidationError("--screenshot", fmt::format("there is no folder {}", folder.string()));
}

void add_options(CLI::App& app, Texts& texts, Settings& settings) {
    app.option_defaults()->take_last();
    app.add_option("-n,--count", texts.count,
                   "Particles, 1 to 2^26: digits, or a power of two (2^18). Default: 200000,\n"
                   "40000 splats, or as many as the file of --scene has")
        ->type_name("N");
    app.add_option("--scene", settings.scene,
                   fmt::format("{}, or a file with a mesh or a cloud of points\n"
                               "(PLY, OBJ, STL, glTF) or with Gaussian splats (PLY). Default: {}",
                               fmt::join(scene_names(), ", "), settings.scene))
        ->type_name("NAME|FILE");
    app.add_option("--seed", texts.seed, "Start of the scene's random numbers. Default: " + texts.seed)->type_name("N");
    app.add_option("--backend", texts.backend,
                   "Where to sort: fragment (OpenGL 3.3, ES 3.0), compute (OpenGL 4.3,\n"
                   "ES 3.1), or automatic. Default: " +
                       texts.backend)
        ->type_name("NAME");
    app.add_option("--algorithm", settings.algorithm, "How to sort. Default: " + settings.algorithm)
        ->type_name("NAME[:VARIANT]");
    app.add_flag("--no-sort,!--sort", texts.no_sort, "Draw in array order, for comparison");
    app.add_flag("--split,!--no-split", settings.frame.split, "Draw sorted on the left, in array order on the right");
    app.add_option("--key", texts.key,
                   "Sort by depth (along the axis of view) or distance (from the eye).\n"
                   "Default: " +
                       texts.key)
        ->type_name("NAME");
    app.add_option("--keys-on", texts.keys_on,
                   "Compute the keys on the gpu, or on the cpu for comparison. Default: " + texts.keys_on)
        ->type_name("NAME");
    app.add_flag("--verify,!--no-verify", settings.verify,
                 "Compare the order of every frame with std::stable_sort, after a read-back\n"
                 "of keys and indices. Exit code 1 if the orders differ");
    app.add_option("--frames", texts.frames,
                   "Frames to draw. With --headless a frame lasts 1/60 s.\n"
                   "Default: 3 with --headless, unlimited in a window")
        ->type_name("N");
    app.add_flag("--headless,!--window", settings.headless,
                 "Draw without a window and without a display. Default: a window");
    app.add_option("--size", texts.size, "Size of the picture or the window, in pixels. Default: " + texts.size)
        ->type_name("WxH");
    app.add_option("--screenshot", texts.screenshot, "Write the last frame to this PNG file")->type_name("FILE");
    app.add_flag("--panel,!--no-panel", settings.panel, "Show the panel in pictures, too");
    app.add_option("--scale", texts.scale,
                   "Scale of the panel's texts with --headless, 1 to 4. A window has the\n"
                   "scale of the display. Default: " +
                       texts.scale)
        ->type_name("N");
    app.add_option("--api", texts.api, "gl (OpenGL) or gles (OpenGL ES). Default: " + texts.api)->type_name("NAME");
    app.add_option("--gl-version", texts.version,
                   "Lowest version to accept. Drivers may give a newer version. Default:\n"
                   "the version that the backend needs; for automatic 4.3 (ES 3.1), or\n"
                   "else 3.3 (ES 3.0)")
        ->type_name("X.Y");
}

// CLI11 marks the second of two opposite flags. Spaces replace the marks, to keep the columns.
std::string help_of(const CLI::App& app) {
    std::string text = app.help();
    const std::string mark = "{false}";
    for (std::size_t i = text.find(mark); i != std::string::npos; i = text.find(mark, i))
        text.replace(i, mark.size(), mark.size(), ' ');
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    Settings settings;
    Texts texts;
    CLI::App app(
        "Draws translucent particles in motion, back to front. glsort sorts the particles by depth\n"
        "in GPU memory, and the sorted indices are the index buffer of the draw call.\n",
        "particles");
    app.footer("In the window:\n" + shortcuts_text());
    try {
        add_options(app, texts, settings);
        parse_arguments(app, argc, argv);
        finish(texts, settings);
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", help_of(app));
        return 0;
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "particles: {}\nparticles --help lists the options.\n", error.what());
        return 2;
    }
    try {
        return settings.headless ? run_headless(settings) : run_interactive(settings);
    } catch (const std::exception& error) {
        std::fflush(stdout);
        fmt::print(stderr, "particles: {}\n", error.what());
        return 1;
    }
}
