#include <fmt/format.h>
#include <glsort/error.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "options.h"
#include "shortcuts.h"
#include "support/cli.h"
#include "view.h"

using namespace glsort;
using namespace glsort::demo;

namespace {

constexpr std::uint32_t max_frames = 10000;
constexpr std::uint32_t largest_side = 16384;

std::uint32_t parse_within(const std::string& text, std::uint32_t low, std::uint32_t high) {
    const std::uint64_t value = parse_count(text);
    if (value < low || value > high)
        throw std::invalid_argument(fmt::format("{} is not from {} to {}", text, low, high));
    return static_cast<std::uint32_t>(value);
}

Size parse_size(const std::string& text) {
    const std::size_t cut = text.find('x');
    if (cut == std::string::npos || cut == 0 || cut + 1 == text.size())
        throw std::invalid_argument("\"" + text + "\" is not WIDTHxHEIGHT, such as 1280x720");
    return {static_cast<int>(parse_within(text.substr(0, cut), 320, largest_side)),
            static_cast<int>(parse_within(text.substr(cut + 1), 200, largest_side))};
}

float parse_scale(const std::string& text) {
    std::size_t end = 0;
    float scale = 0.0f;
    try {
        scale = std::stof(text, &end);
    } catch (const std::logic_error&) {
        end = 0;
    }
    if (end == 0 || end != text.size() || !(scale >= 0.5f && scale <= 4.0f))
        throw std::invalid_argument("\"" + text + "\" is not a scale from 0.5 to 4");
    return scale;
}

// Words separated by commas, in lines that fit a terminal after the column of the options.
std::string joined(const std::vector<std::string>& words) {
    std::string text;
    std::size_t line = 0;
    for (const std::string& word : words) {
        if (!text.empty()) text += ",";
        const bool fits = line + word.size() < 74;
        if (!text.empty()) text += fits ? " " : "\n";
        line = (fits ? line + 2 : 0) + word.size();
        text += word;
    }
    return text;
}

void add_options(CLI::App& app, Options& options) {
    add_value(
        app, "--algorithm", options.method.algorithm, parse_algorithm,
        "How to sort. Default: " + options.method.algorithm + ". There are\n" + joined(split_list(algorithm_names())))
        ->type_name("NAME[:VARIANT]");
    add_value(app, "--compare", options.compared, parse_algorithm, "A second algorithm, side by side with the first")
        ->type_name("NAME[:VARIANT]");
    add_value(app, "--backend", options.backend, parse_backend,
              "Where to sort: fragment, compute or cpu. Default: the first of these that\nruns the algorithm here")
        ->type_name("NAME");
    add_value(
        app, "-n", options.input.n,
        [](const std::string& text) { return parse_within(text, min_elements, max_elements); },
        "Keys to sort, 16 to 2^20: digits, or a power of two (2^16). Default: 64")
        ->type_name("N");
    add_value(app, "--distribution", options.input.distribution, parse_distribution,
              "The keys. Default: uniform. There are\n" + joined(split_list(distribution_names())))
        ->type_name("NAME");
    add_value(app, "--seed", options.input.seed, parse_count, "Start of the random numbers. Default: 1")
        ->type_name("S");
    add_value(app, "--key", options.input.key, key_type_from_string,
              "Type of the keys: u32, i32, f32, u64, i64 or f64. Default: u32")
        ->type_name("TYPE");
    add_value(app, "--order", options.input.order, direction_from_string, "ascending or descending. Default: ascending")
        ->type_name("ORDER");
    add_value(app, "--layout", options.method.layout, layout_from_string,
              "How records lie in textures: row-wise or z-order. Default: the fastest\nlayout of the algorithm")
        ->type_name("LAYOUT");
    add_value(app, "--tile", options.method.tile, parse_elements,
              "Elements per tile, a power of two; algorithms sample and bitonic:local")
        ->type_name("N");
    add_value(app, "--samples", options.method.samples, parse_elements,
              "Samples per tile, a power of two; algorithm sample")
        ->type_name("N");
    add_value(app, "--digit-bits", options.method.digit_bits, parse_elements,
              "Bits of a digit, 1 to 11; algorithm radix")
        ->type_name("D");
    std::vector<std::string> views;
    for (const auto& view : make_views())
        views.push_back(view->name());
    app.add_option("--view", options.view,
                   "What to show first. Default: bars up to 256 keys, streams above. There are\n" + joined(views))
        ->type_name("NAME");
    add_value(app, "--size", options.size, parse_size,
              "Size of the window or the pictures, in pixels. Default: 1280x720")
        ->type_name("WxH");
    add_value(app, "--scale", options.scale, parse_scale,
              "Scale of texts and lines in pictures; 2 for dense displays. Default: 1")
        ->type_name("X");
    app.add_flag("--headless", options.headless, "Write pictures to --out, without a window or a display");
    app.add_flag("--panels", options.window, "Pictures of the whole window, with timeline, program and cost");
    add_value(
        app, "--frames", options.frames, [](const std::string& text) { return parse_within(text, 1, max_frames); },
        "Number of pictures, evenly from the input to the result. Default: 1, after\nthe middle op")
        ->type_name("F");
    app.add_option("--out", options.out,
                   "A folder for PNG files, a .png file for one picture, a .gif file for all;\n"
                   "with a window, the folder for its pictures (F12)")
        ->type_name("DIR|FILE");
}

// Whether the extension is that of some picture. --out would otherwise create a folder of that name.
bool is_other_picture(std::string extension) {
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
    constexpr std::array<std::string_view, 7> pictures{".png", ".gif", ".jpg", ".jpeg", ".bmp", ".webp", ".mp4"};
    return std::ranges::find(pictures, extension) != pictures.end();
}

// The program of a sort. `option`: the option that named the algorithm.
StreamProgram planned(const Options& options, const std::string& option, Method method) {
    method.backend = options.backend.value_or(Backend::cpu);
    try {
        return plan(plan_request(options.input, method, {}));
    } catch (const Error& refusal) {
        throw CLI::ValidationError(option + " " + method.algorithm, refusal.what());
    }
}

// Refuses options that are wrong on any context.
void check(const Options& options) {
    if (options.headless && options.out.empty())
        throw CLI::ValidationError("--headless", "needs --out DIR|FILE.gif|FILE.png, where the pictures go");
    const std::string extension = options.out.extension().string();
    const bool file = extension == ".png" || extension == ".gif";
    std::error_code error;
    if (!options.headless && file)
        throw CLI::ValidationError("--out", options.out.string() + " is a file; a window's pictures go to a folder");
    if (extension == ".png" && options.frames > 1)
        throw CLI::ValidationError(
            "--out", fmt::format("{} frames need a folder or a .gif file, not one PNG file", options.frames));
    if (!file && std::filesystem::exists(options.out, error) && !std::filesystem::is_directory(options.out, error))
        throw CLI::ValidationError("--out", options.out.string() + " is a file, and neither a .png nor a .gif file");
    if (!file && is_other_picture(extension) && !std::filesystem::is_directory(options.out, error))
        throw CLI::ValidationError("--out", options.out.string() + ": pictures are .png or .gif files");
    const std::filesystem::path folder =
        file || !options.headless ? (file ? options.out.parent_path() : options.out) : "";
    if (!folder.empty() && !std::filesystem::is_directory(folder, error))
        throw CLI::ValidationError("--out", fmt::format("there is no folder {}", folder.string()));
    const StreamProgram program = planned(options, "--algorithm", options.method);
    if (options.compared) planned(options, "--compare", {.algorithm = *options.compared});
    try {
        choose_view(make_views(), options.view, program);
    } catch (const Error& refusal) {
        throw CLI::ValidationError("--view", refusal.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app(
        "Shows a sort op by op: what each op of its stream program reads, compares and writes.\n"
        "Needs OpenGL 3.3, compute shaders OpenGL 4.3; OpenGL ES is not supported.\n",
        "stages");
    try {
        app.option_defaults()->take_last();
        add_options(app, options);
        app.parse(argc, argv);
        check(options);
    } catch (const CLI::CallForHelp&) {
        fmt::print("{}", app.help());
        fmt::print("\nKeys in the window:\n");
        for (const Shortcut& shortcut : shortcuts())
            fmt::print("  {:<14}{}\n", shortcut.keys, shortcut.meaning);
        return 0;
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "stages: {}\nstages --help lists the options.\n", error.what());
        return 2;
    }
    try {
        options.headless ? run_headless(options) : run_interactive(options);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "stages: {}\n", error.what());
        return 1;
    }
}
