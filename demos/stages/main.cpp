#include <fmt/format.h>
#include <glsort/error.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/contradictions.h"
#include "cli/program.h"
#include "cli/values.h"
#include "options.h"
#include "shortcuts.h"
#include "support/console.h"
#include "support/picture_writer.h"
#include "support/tuning.h"
#include "view.h"

using namespace glsort;
using namespace glsort::demo;

namespace {

constexpr std::uint32_t max_frames = 10000;
constexpr Size least_size{320, 200};
constexpr Size most_size{16384, 16384};

std::uint32_t parse_above_0(const std::string& text) {
    return static_cast<std::uint32_t>(parse_within(text, 1, 0xffffffffu));
}

void add_sort_options(CLI::App& app, Options& options) {
    offer(add_value(app, "--algorithm", options.method.algorithm, parse_algorithm,
                    "Algorithm and variant: " + listed(algorithm_names()))
              ->type_name("NAME[:VARIANT]")
              ->default_str(options.method.algorithm),
          algorithm_names());
    offer(add_value(app, "--compare", options.compared, parse_algorithm,
                    "A second algorithm, side by side with the first")
              ->type_name("NAME[:VARIANT]"),
          algorithm_names());
    add_value(
        app, "--backend", options.backend,
        [](const std::string& text) {
            const Backend backend = parse_backend(text);
            return backend == Backend::automatic ? std::nullopt : std::optional(backend);
        },
        "Where to sort; automatic is the first of the others that runs the algorithm here")
        ->type_name("automatic|fragment|compute|cpu")
        ->default_str("automatic");
    add_value(
        app, "-n,--count", options.input.n,
        [](const std::string& text) {
            return static_cast<std::uint32_t>(parse_within(text, min_elements, max_elements));
        },
        "Keys to sort, 16 to 2^20 (digits or 2^K)")
        ->type_name("N")
        ->default_str("64");
    offer(add_value(app, "--distribution", options.input.distribution, parse_distribution,
                    "The keys: " + listed(distribution_names()))
              ->type_name("NAME")
              ->default_str("uniform"),
          distribution_names());
    add_seed(app, options.input.seed);
    add_value(app, "--key", options.input.key, key_type_from_string, "Type of the keys")
        ->type_name("u32|i32|f32|u64|i64|f64")
        ->default_str("u32");
    add_value(app, "--order", options.input.order, direction_from_string, "Direction of the keys")
        ->type_name("ascending|descending")
        ->default_str("ascending");
    add_value(
        app, "--sources", options.input.sources,
        [](const std::string& text) { return static_cast<std::uint32_t>(parse_within(text, 1, max_scene_sources)); },
        fmt::format(
            "Shows the sort of a scene: the keys lie in K buffers, 1 to {}, and become one order. Scenes run in "
            "C++, by the program of --backend",
            max_scene_sources))
        ->type_name("K");
    add_value(app, "--visible", options.input.visible, parse_fraction,
              "Shows the sort of a scene: the fraction of elements that are visible, and so are sorted; 0 to 1")
        ->type_name("FRACTION")
        ->default_str("1");
    add_value(app, "--layout", options.method.layout, layout_from_string, "How records lie in textures")
        ->type_name("row-wise|z-order")
        ->default_str("the one in which the algorithm is fastest");
    add_value(app, "--tile", options.method.tile, parse_above_0,
              "Elements of a tile, a power of two; algorithms sample and bitonic:local")
        ->type_name("N")
        ->default_str("the algorithm's choice");
    add_value(app, "--samples", options.method.samples, parse_above_0,
              "Samples of a tile, a power of two; algorithm sample")
        ->type_name("N")
        ->default_str("the algorithm's choice");
    add_value(
        app, "--digit-bits", options.method.digit_bits,
        [](const std::string& text) { return static_cast<std::uint32_t>(parse_within(text, 1, 11)); },
        "Bits of a digit, 1 to 11; algorithm radix")
        ->type_name("D")
        ->default_str("the algorithm's choice");
}

void add_picture_options(CLI::App& app, Options& options) {
    std::vector<std::string> views;
    for (const auto& view : make_views())
        views.push_back(option_of(*view));
    offer(app.add_option("--view", options.view, "What to show first: " + listed(views))
              ->type_name("NAME")
              ->take_last()
              ->default_str("bars up to 256 keys, streams above"),
          views);
    add_value(
        app, "--size", options.size, [](const std::string& text) { return parse_size(text, least_size, most_size); },
        "Size of the pictures in pixels, or of the window in screen coordinates")
        ->type_name("WxH")
        ->default_str("1280x720");
    add_value(app, "--scale", options.scale, parse_scale,
              "Scale of texts and lines with --headless, 0.5 to 4; a window has the scale of its display")
        ->type_name("X")
        ->default_str("1");
    app.add_flag("--headless,!--window", options.headless, "Without a window or a display: writes pictures to --output")
        ->take_last();
    add_switch(
        app, "panels", options.panels,
        "With --headless, pictures of the whole window, with timeline and, above 700 pixels of width at scale 1, "
        "program and cost");
    add_value(
        app, "--frames", options.frames,
        [](const std::string& text) { return static_cast<std::uint32_t>(parse_within(text, 1, max_frames)); },
        "Number of pictures with --headless, evenly from the input to the result; one is of the middle operation. "
        "Pictures number operations from 0, as glsort plan does")
        ->type_name("N")
        ->default_str("1");
    add_path(app, "-o,--output", options.output,
             "A folder for PNG files, a .png file for one picture, a .gif file for all; - is standard output (PNG or "
             "GIF). With a window: the folder for its pictures (F12)")
        ->type_name("DIR|FILE");
    add_value(
        app, "--gl-version", options.version,
        [](const std::string& text) {
            const int version = parse_gl_version(text);
            check_gl_version(version, Api::gl);
            return version;
        },
        "Lowest version of the context; drivers may give a newer one")
        ->type_name("MAJOR.MINOR")
        ->default_str("4.3, or else 3.3");
    add_progress(app, options.progress);
}

// The program of a sort. `option`: the option that named the algorithm.
StreamProgram planned(const Options& options, const std::string& option, Method method) {
    method.backend = options.backend.value_or(Backend::cpu);
    try {
        return planned_program(options.input, method, {});
    } catch (const Error& refusal) {
        const std::string why = in_words_of_options(without_function(refusal.what()));
        // A message about another option begins with that option.
        throw UsageError(why.starts_with("--") ? why : option + " " + method.algorithm + ": " + why);
    }
}

// Refuses an output that cannot be written.
void check_output(const Options& options) {
    std::error_code error;
    if (options.headless && options.output.empty())
        throw UsageError("--headless: needs --output DIR|FILE.gif|FILE.png, where the pictures go");
    if (options.output.empty()) return;
    if (!options.headless && !std::filesystem::is_directory(options.output, error))
        throw UsageError(
            fmt::format("--output: {} is no folder; a window's pictures go to a folder", options.output.string()));
    try {
        if (picture_target(options.output, options.frames) == PictureTarget::png && options.frames > 1)
            throw std::invalid_argument(
                fmt::format("{} frames need a folder or a .gif file, not one PNG file", options.frames));
    } catch (const std::invalid_argument& refusal) {
        throw UsageError(std::string("--output: ") + refusal.what());
    }
}

void check_view(const std::string& view, const StreamProgram& program) {
    try {
        choose_view(make_views(), view, program);
    } catch (const Error& refusal) {
        throw UsageError(std::string("--view: ") + refusal.what());
    }
}

// Refuses options that are wrong on any context.
void check(const Options& options) {
    check_output(options);
    std::vector<StreamProgram> programs;
    programs.push_back(planned(options, "--algorithm", options.method));
    if (options.compared) programs.push_back(planned(options, "--compare", {.algorithm = *options.compared}));
    for (const StreamProgram& program : programs)
        check_view(options.view, program);
}

void add_contradictions(CLI::App& app) {
    std::vector<Contradiction> list = contradictions_of_compute(app, "--backend");
    for (const char* option : {"--sources", "--visible"})
        for (const char* other : {"--layout", "--tile", "--samples", "--digit-bits"})
            list.push_back({{option, other}, "scenes have no such choice", {}});
    list.push_back({{"--scale"}, "a window has the scale of its display", {"--headless"}});
    list.push_back({{"--frames"}, "a window writes a picture at each press of F12", {"--headless"}});
    list.push_back({{"--panels"}, "a window has its panels", {"--headless"}});
    list.push_back({{"--progress"}, "a window shows how far the work is", {"--headless"}});
    refuse_contradictions(app, std::move(list));
}

std::string shortcuts_text() {
    std::string text = "Keys in the window:\n";
    for (const Shortcut& shortcut : shortcuts())
        text += fmt::format("  {:<14}{}\n", shortcut.keys, shortcut.meaning);
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app(
        "Shows a sort op by op: what each op of its stream program reads, compares and writes. Needs OpenGL 3.3, "
        "compute shaders OpenGL 4.3; OpenGL ES is not supported.",
        "stages");
    app.footer(shortcuts_text());
    add_sort_options(app, options);
    add_picture_options(app, options);
    add_contradictions(app);
    return run_program(app, argc, argv, [&options] {
        check(options);
        if (options.headless)
            complain("stages: wrote " + run_headless(options));
        else
            run_interactive(options);
    });
}
