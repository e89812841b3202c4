#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/contradictions.h"
#include "files.h"
#include "gl_job.h"
#include "options.h"
#include "print_json.h"
#include "scene_job.h"
#include "scene_options.h"
#include "support/file_access.h"
#include "support/interruption.h"
#include "support/memory.h"
#include "support/output_file.h"
#include "support/progress.h"

namespace glsort::demo {
namespace {

constexpr std::uint64_t most_keys = 0xffffffff;  // Indices have 32 bits.

struct SortOptions {
    std::uint32_t n = 1u << 20;
    Distribution distribution = Distribution::uniform;
    std::filesystem::path input;  // Empty: keys are generated. `-`: standard input.
    std::filesystem::path output;
    std::filesystem::path indices;
    std::string algorithm = "automatic";
    Backend backend = Backend::automatic;
    Medium io = Medium::buffer;
    ItemOptions items;
    SceneOptions scene;
    ContextOptions context;
    bool verify = false;
    bool progress = false;
    Format format = Format::text;
};

// The results of a run, for the report.
struct Outcome {
    std::string renderer = "none";
    AlgorithmChoice algorithm;
    Backend backend = Backend::cpu;
    std::size_t elements = 0;  // Of the input.
    double first_ms = 0;       // Includes the driver's compilation of shaders at the first use.
    double ms = 0;
    Items result;
};

class Stopwatch {
  public:
    double ms() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

// Sorts once in steps, which shows the progress and makes the driver compile. Then sorts once more without steps,
// unless the first sort took long.
Outcome run_job(SortJob& job, std::size_t count, bool compiles, Progress& progress) {
    constexpr double long_ms = 10'000;
    Outcome outcome;
    outcome.algorithm = job.algorithm();
    outcome.elements = count;
    job.restore();
    job.finish();
    progress.begin(fmt::format("glsort sort: sorting {} keys", count));
    const Stopwatch first;
    job.sort_in_steps([&progress](std::size_t done, std::size_t ops) { progress.at(done, ops); });
    outcome.first_ms = outcome.ms = first.ms();
    if (compiles && outcome.first_ms < long_ms) {
        job.restore();
        job.finish();
        const Stopwatch second;
        job.sort();
        job.finish();
        outcome.ms = second.ms();
    }
    progress.begin("glsort sort: reading the result");
    outcome.result = job.result();
    return outcome;
}

std::string argument_of(const SortOptions& options, std::uint64_t count) {
    return options.input.empty() ? "--count " + count_text(count)
                                 : fmt::format("--input {} of {} keys", options.input.string(), count_text(count));
}

// Bytes of the input, the result, and all temporary copies.
std::uint64_t host_bytes(const SortOptions& options, const ItemType& type, std::uint64_t count) {
    const std::uint64_t reference = 16 * count + bytes_of_items(type, count);
    const std::uint64_t of_backend = options.backend == Backend::cpu ? 3 : 1;
    return (2 + of_backend) * bytes_of_items(type, count) + (options.verify ? reference : 0);
}

// Checks the count before anything is allocated. Throws if the device or the computer cannot hold the sort.
void check_count(const SortOptions& options, const ItemType& type, std::uint64_t count, const SortSpec& spec,
                 const GlContext* context) {
    const std::string argument = argument_of(options, count);
    if (count > most_keys) throw UsageError(fmt::format("{}: the limit is {} keys", argument, count_text(most_keys)));
    const std::uint64_t needed = host_bytes(options, type, count);
    if (context == nullptr) return require_memory(argument, needed, free_memory(), "the computer's");
    check_memory(*context, spec, options.scene, static_cast<std::uint32_t>(count), needed, argument);
}

// The number of keys that fit in memory.
std::uint64_t keys_in_memory(const SortOptions& options, const ItemType& type) {
    constexpr std::uint64_t some = 1 << 20;
    return std::min(most_keys, free_memory() / (host_bytes(options, type, some) / some));
}

// The number of keys of a file. Empty for a pipe or a device.
std::optional<std::uint64_t> keys_in_file(const std::filesystem::path& path, std::size_t key_bytes) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
    const std::uint64_t bytes = std::filesystem::file_size(path, error);
    return error ? std::nullopt : std::optional(bytes / key_bytes);
}

Items make_input(const SortOptions& options, const ItemType& type) {
    if (options.input.empty()) return make_items(type, options.distribution, options.n, options.items.seed);
    Items items;
    items.keys = read_keys(options.input, key_bytes(type.key), keys_in_memory(options, type));
    items.count = items.keys.size() / (key_bytes(type.key) / 4);
    items.values = make_values(type.payload, items.count);
    return items;
}

void check_files(const SortOptions& options) {
    if (!options.input.empty()) check_readable(options.input);
    for (const std::filesystem::path& path : {options.output, options.indices})
        if (!path.empty()) check_writable(path);
    if (!options.indices.empty() && options.items.payload.kind != Payload::Kind::index)
        throw UsageError("--indices needs --payload index, not " + to_string(options.items.payload));
    if (!options.indices.empty() && !options.output.empty() && is_same_file(options.indices, options.output))
        throw UsageError(fmt::format("--indices {} and --output {} name the same file", options.indices.string(),
                                     options.output.string()));
}

// If keys or indices go to standard output, the report goes to standard error.
bool data_go_to_standard_output(const SortOptions& options) {
    return (!options.output.empty() && is_standard_output(options.output)) ||
           (!options.indices.empty() && is_standard_output(options.indices));
}

double mitems_per_s(std::size_t count, double ms) {
    return ms > 0 ? 1e-3 * static_cast<double>(count) / ms : 0;
}

std::string to_text(const SortOptions& options, const Outcome& outcome) {
    const ItemOptions& items = options.items;
    const std::size_t n = outcome.result.count;
    const std::string source = options.input.empty()
                                   ? fmt::format("{}, seed {}", distribution_name(options.distribution), items.seed)
                               : options.input == "-" ? "standard input"
                                                      : options.input.string();
    std::string text = fmt::format("sorted    {} {} keys, {}, payload {}, from {}\n", n, to_string(items.key),
                                   to_string(items.order), to_string(items.payload), source);
    if (options.scene.is_scene())
        text += fmt::format("scene     {} of {} elements drawn; {}\n", n, outcome.elements, options.scene.text());
    else if (options.scene.gpu_count)
        text += "count     on the GPU\n";
    text += fmt::format("renderer  {}\n", outcome.renderer);
    text += fmt::format("program   {}:{} on {}, {}\n", outcome.algorithm.name, outcome.algorithm.variant,
                        to_string(outcome.backend),
                        options.io == Medium::buffer ? "in place in buffers" : "from texture to texture");
    text += fmt::format("time      {:.3f} ms, {:.3f} Mitems/s", outcome.ms, mitems_per_s(outcome.elements, outcome.ms));
    if (outcome.ms != outcome.first_ms)
        text += fmt::format("; the first sort {:.3f} ms, with what the driver compiled", outcome.first_ms);
    text += "\n";
    return text;
}

nlohmann::ordered_json to_json(const SortOptions& options, const Outcome& outcome, std::optional<bool> verified) {
    nlohmann::ordered_json json;
    json["algorithm"] = outcome.algorithm.name;
    json["variant"] = outcome.algorithm.variant;
    json["backend"] = to_string(outcome.backend);
    json["renderer"] = outcome.renderer;
    json["io"] = to_string(options.io);
    json["n"] = outcome.elements;
    json["drawn"] = outcome.result.count;
    json["count_on"] = options.scene.gpu_count ? "gpu" : "cpu";
    json["sources"] = options.scene.is_scene() ? options.scene.sources_or_one() : 0;
    json["computed_keys"] = options.scene.computed_keys;
    json["visible"] = options.scene.visible.value_or(1);
    json["key"] = to_string(options.items.key);
    json["payload"] = to_string(options.items.payload);
    json["order"] = to_string(options.items.order);
    json["layout"] = to_string(layout_of(options.items, outcome.algorithm));
    if (options.input.empty()) {
        json["distribution"] = distribution_name(options.distribution);
        json["seed"] = options.items.seed;
    } else {
        json["input"] = options.input.string();
    }
    json["ms"] = outcome.ms;
    json["first_ms"] = outcome.first_ms;
    json["mitems_per_s"] = mitems_per_s(outcome.elements, outcome.ms);
    if (verified)
        json["verified"] = *verified;
    else
        json["verified"] = nullptr;
    return json;
}

// Writes the requested files, and the report. A wrong result is not written.
void finish(const SortOptions& options, const Outcome& outcome, const std::optional<std::string>& difference) {
    if (!difference) {
        std::vector<FileContent> files;
        if (!options.output.empty()) files.push_back({options.output, std::as_bytes(std::span(outcome.result.keys))});
        if (!options.indices.empty())
            files.push_back({options.indices, std::as_bytes(std::span(outcome.result.values))});
        write_files(files);
    }
    std::string report;
    if (options.format == Format::json)
        report = text_of(to_json(options, outcome, options.verify ? std::optional(!difference) : std::nullopt));
    else
        report = to_text(options, outcome) + (options.verify && !difference ? "verified\n" : "");
    if (data_go_to_standard_output(options))
        complain(report.substr(0, report.size() - 1));
    else
        print(report);
    if (difference) throw std::runtime_error("verification failed: " + *difference);
}

void run(const SortOptions& options) {
    const Interruption interruption(remove_unfinished_files);
    check_files(options);
    PlanRequest request{.spec = sort_spec(options.items, options.algorithm)};
    request.spec.backend = options.backend;
    request.spec.input = request.spec.output = options.io;
    // A small program is enough to find errors in the arguments. The sorter makes the program for all keys.
    request.n = request.spec.capacity = 2;
    request.spec.gpu_count = options.scene.gpu_count || options.scene.is_scene();
    plan_or_refuse(request);
    if (options.backend == Backend::cpu && options.io != Medium::buffer)
        throw UsageError("--io texture: the cpu backend sorts host memory, which is buffer");

    const ItemType type = {options.items.key, options.items.payload, options.items.order, options.items.bits};
    const std::unique_ptr<GlContext> context =
        options.backend == Backend::cpu ? nullptr : open_context_or_advise(options.context);
    const std::optional<std::uint64_t> count =
        options.input.empty() ? options.n : keys_in_file(options.input, key_bytes(type.key));
    if (count) check_count(options, type, *count, request.spec, context.get());

    Progress progress(options.progress);
    progress.begin(options.input.empty() ? fmt::format("glsort sort: making {} keys", options.n)
                                         : fmt::format("glsort sort: reading {}", options.input.string()));
    const Items input = make_input(options, type);
    if (!count) check_count(options, type, input.count, request.spec, context.get());

    progress.begin("glsort sort: making the sorter");
    Outcome outcome;
    if (context) {
        request.spec.capacity = std::max(1u, static_cast<std::uint32_t>(input.count));
        if (options.scene.is_scene()) {
            SceneJob job(*context, request.spec, input, options.scene, options.items.seed);
            outcome = run_job(job, input.count, true, progress);
            outcome.backend = job.backend();
        } else {
            GlJob job(*context, request.spec, input);
            outcome = run_job(job, input.count, true, progress);
            outcome.backend = job.spec().backend;
        }
        outcome.renderer = context->context.renderer();
    } else {
        outcome = run_job(*make_cpu_job(request.spec, input), input.count, false, progress);
    }

    std::optional<std::string> difference;
    if (options.verify) {
        progress.begin("glsort sort: verifying");
        const Items expected = options.scene.is_scene()
                                   ? scene_reference(input, type, options.scene, options.items.seed)
                                   : sorted_reference(input, type);
        difference = first_difference(outcome.result, expected, type);
    }
    const auto lock = progress.quiet();
    finish(options, outcome, difference);
}

}  // namespace

Command add_sort_command(CLI::App& app) {
    const auto options = std::make_shared<SortOptions>();
    CLI::App* command = app.add_subcommand("sort", "Sorts the keys of a file, or generated ones, once");
    CLI::Option* input = add_path(*command, "-i,--input", options->input,
                                  "File of keys to sort: raw, little-endian, one after the other; - is standard input");
    offer(add_value(*command, "--distribution", options->distribution, parse_distribution,
                    "Keys to generate: " + listed(distribution_names()))
              ->type_name("NAME")
              ->default_str(std::string(distribution_name(options->distribution)))
              ->excludes(input),
          distribution_names());
    add_count(*command, options->n, "Keys to generate")->default_str("2^20")->excludes(input);
    add_path(*command, "-o,--output", options->output,
             "Writes the sorted keys, raw; - is standard output, and the report goes to standard error then");
    add_path(*command, "--indices", options->indices,
             "Writes where each sorted key was in the input, as raw u32 numbers from 0 on; - as for --output");
    add_switch(*command, "verify", options->verify,
               "Compares the result with that of std::stable_sort; files are written only if they agree");
    add_method_options(*command, options->algorithm, options->backend,
                       "compute where the context has it, else fragment; cpu needs no context");
    add_value(*command, "--io", options->io, medium_from_string,
              "Sorts in place in buffers, or from a texture to a texture")
        ->type_name("texture|buffer")
        ->default_str(std::string(to_string(options->io)));
    add_item_options(*command, options->items);
    add_scene_options(*command, options->scene);
    add_context_options(*command, options->context);
    add_format_option(*command, options->format, {"text", "json"});
    add_progress(*command, options->progress);
    std::vector<Contradiction> contradictions = contradictions_of_compute(*command, "--backend");
    for (const char* option : {"--api", "--gl-version"})
        contradictions.push_back({{"--backend cpu", option}, "the cpu backend needs no context", {}});
    for (Contradiction& contradiction : contradictions_of_scenes(*command, "--backend"))
        contradictions.push_back(std::move(contradiction));
    contradictions.push_back({{"--input", "--seed"}, "keys of a file need no random numbers", {}});
    refuse_contradictions(*command, std::move(contradictions));
    command->footer(
        "The time is that of one sort from its call until the GPU is done, with everything compiled: keys are sorted "
        "twice on a GPU, unless the first sort takes more than 10 s. bench measures better.");
    const CLI::Option* key = command->get_option("--key");
    return {command, [options, key] {
                check_scene_options(options->scene, options->items, options->distribution, key->count() > 0);
                run(*options);
            }};
}

}  // namespace glsort::demo
