#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "bench_options.h"
#include "cli/contradictions.h"
#include "options.h"
#include "scene_options.h"
#include "support/console.h"
#include "support/output_file.h"

namespace glsort::demo {

std::vector<std::string> state_names() {
    return {"restore", "caller-resets"};
}

Command add_bench_command(CLI::App& app) {
    const auto options = std::make_shared<BenchOptions>();
    CLI::App* command =
        app.add_subcommand("bench", "Times sorts, and std::sort beside them, and verifies what they make");
    add_value(
        *command, "--suite", options->suite,
        [](const std::string& text) {
            return parse_choice("suite", text, suite_names()) == 0 ? Suite::papers : Suite::all;
        },
        "Measures a list in place of what the options for algorithms and elements say: papers, all that the papers of "
        "the algorithms report, with their figures beside; all, every algorithm on every backend, at many sizes and "
        "all distributions, the most important first")
        ->type_name("papers|all");
    CLI::Option* peers =
        command->add_flag("--peers", options->peers,
                          "Also times std::stable_sort, oneTBB's parallel sort, and CUB and libcusort of CUDA, of what "
                          "this build has");
    add_path(*command, "--peers-program", options->peers_program, "The program that times CUDA's sorts")
        ->default_str("glsort-peers beside glsort")
        ->needs(peers);
    offer(add_list(*command, "--algorithms,--algorithm", options->algorithms, parse_algorithm,
                   "Algorithms and variants: " + listed(algorithm_names()))
              ->type_name("NAME[:VARIANT],...")
              ->default_str("automatic"),
          algorithm_names());
    offer(add_list(
              *command, "--backends,--backend", options->backends,
              [](const std::string& text) {
                  return backend_from_string(
                      backend_names_of_lists()[parse_choice("backend", text, backend_names_of_lists())]);
              },
              "fragment, compute, cpu")
              ->type_name("NAME,...")
              ->default_str("those of the first two that the context has"),
          backend_names_of_lists());
    add_list(*command, "-n,--sizes,--count", options->sizes, parse_elements, "Numbers of elements (digits or 2^K)")
        ->type_name("N,...")
        ->default_str("2^16,2^18,2^20");
    offer(add_list(*command, "--distributions,--distribution", options->distributions, parse_distribution,
                   "Keys: " + listed(distribution_names()))
              ->type_name("NAME,...")
              ->default_str("uniform"),
          distribution_names());
    add_value(*command, "--io", options->io, medium_from_string,
              "From a texture of keys to a texture of sorted records, or in place in buffers; the "
              "default is texture on fragment, buffer on compute and for values of more than 4 bytes; "
              "cpu sorts host memory")
        ->type_name("texture|buffer");
    add_item_options(*command, options->items);
    add_scene_options(*command, options->scene);
    add_value(
        *command, "--state", options->state,
        [](const std::string& text) {
            return parse_choice("state policy", text, state_names()) == 0 ? StatePolicy::restore
                                                                          : StatePolicy::caller_resets;
        },
        "Whether sorts save and restore the OpenGL state, and make a memory barrier before they begin; "
        "the CPU time of a call is measured both ways")
        ->type_name("restore|caller-resets")
        ->default_str("restore");
    add_max_elements_per_draw(*command, options->max_elements_per_draw);
    CLI::Option* min_ms = add_value(*command, "--min-ms", options->timing.min_ms, parse_not_negative,
                                    "Milliseconds that the repetitions of a measurement take together, at least; there "
                                    "are 5 to 1000, or 3 where one takes over 500 ms")
                              ->type_name("MS")
                              ->default_str("300");
    add_value(
        *command, "--repetitions", options->timing.repetitions,
        [](const std::string& text) { return static_cast<std::size_t>(parse_within(text, 1, 1000)); },
        "Repetitions of a measurement, 1 to 1000, instead of --min-ms")
        ->type_name("N")
        ->excludes(min_ms);
    add_value(*command, "--warm-up-ms", options->warm_up_ms, parse_not_negative,
              "Milliseconds of sorts before a measurement; the default is 400 on hardware, 50 on a "
              "software rasteriser")
        ->type_name("MS");
    add_switch(*command, "verify", options->verify,
               "Compares the results with that of std::stable_sort, unless it is --no-verify");
    add_value(*command, "--minutes", options->minutes, parse_not_negative,
              "Begins no measurement that would probably end later than this")
        ->type_name("M")
        ->default_str("no limit");
    command->add_flag("--list", options->list, "Prints the measurements, and measures nothing");
    CLI::Option* output =
        add_path(*command, "-o,--output", options->output, "Writes the rows to this file; - is standard output");
    output->default_str("-");
    command
        ->add_flag("--resume", options->resume,
                   "Goes on behind the rows that the JSON file of --output has, if the file exists")
        ->needs(output);
    add_progress(*command, options->progress);
    add_context_options(*command, options->context);
    add_format_option(*command, options->format, {"table", "text", "json", "csv"});
    std::vector<Contradiction> contradictions = contradictions_of_compute(*command, "--backends");
    for (const char* option : {"--api", "--gl-version"})
        contradictions.push_back({{"--backends cpu", option},
                                  "the cpu backend needs no context",
                                  {"--backends fragment", "--backends compute"}});
    for (Contradiction& contradiction : contradictions_of_scenes(*command, "--backends"))
        contradictions.push_back(std::move(contradiction));
    const std::vector<std::string> unless_gl = {"--backends fragment", "--backends compute"};
    contradictions.push_back({{"--backends cpu", "--io texture"}, "cpu sorts host memory, which is buffer", unless_gl});
    contradictions.push_back({{"--backends cpu", "--state caller-resets"}, "cpu changes no state", unless_gl});
    contradictions.push_back({{"--backends cpu", "--max-elements-per-draw"}, "cpu draws nothing", unless_gl});
    for (const char* option : {"--sources", "--computed-keys", "--visible"})
        contradictions.push_back({{"--peers-program", option}, "CUDA's sorts sort no scenes", {}});
    for (const char* option : {"--format", "--output", "--resume", "--minutes"})
        contradictions.push_back({{"--list", option}, "a list is lines of text on standard output", {}});
    for (const char* option :
         {"--algorithms", "--sizes", "--distributions", "--io", "--key", "--bits", "--digit-bits", "--payload",
          "--order", "--layout", "--tile", "--samples", "--count-on", "--sources", "--computed-keys", "--visible"})
        contradictions.push_back({{"--suite", option}, "a suite says what is measured", {}});
    for (const char* format : {"text", "table", "csv"})
        contradictions.push_back({{"--resume", fmt::format("--format {}", format)}, "only JSON can be resumed", {}});
    refuse_contradictions(*command, std::move(contradictions));
    command->footer(
        "Figures are medians, of two middle values the lower one. Hardware is timed with timer queries, repetition "
        "after repetition "
        "without a pause; software rasterisers with glFinish and the wall clock. CPU us is the CPU "
        "time of the call of sort() in microseconds, resets the same under --state caller-resets. "
        "Lists given twice are joined. Rows are written as they are measured; Ctrl-C keeps them, and ends with exit "
        "code 130. copy GB/s is the rate of a copy of the records on the device, of copy the time of the copy over "
        "that "
        "of the sort: no sort of records in memory has over 100 %. JSON also has the machine, the commit and every "
        "repetition. A row of a scene counts all elements, drawn or not, and names the options of the scene.");
    const CLI::Option* key = command->get_option("--key");
    return {command, [options, key] {
                for (const Distribution distribution : options->distributions)
                    check_scene_options(options->scene, options->items, distribution, key->count() > 0);
                if (options->list) return list_measurements(*options);
                if (options->resume && (is_standard_output(options->output) || options->format != Format::json))
                    throw UsageError("--resume goes on in a file of JSON: give --output FILE and --format json");
                run_bench(*options);
            }};
}

}  // namespace glsort::demo
