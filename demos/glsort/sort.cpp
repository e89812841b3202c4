#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "console.h"
#include "files.h"
#include "gl_job.h"
#include "options.h"

namespace glsort::demo {
namespace {

struct SortOptions {
    std::uint32_t n = 1u << 20;
    Distribution distribution = Distribution::uniform;
    std::string input;
    std::string output;
    std::string indices;
    std::string algorithm = "automatic";
    Backend backend = Backend::automatic;
    Medium io = Medium::buffer;
    ItemOptions items;
    ContextOptions context;
    bool verify = false;
    Format format = Format::text;
};

// What was run, for the report.
struct Outcome {
    std::string renderer = "none";
    AlgorithmChoice algorithm;
    Backend backend = Backend::cpu;
    double ms = 0;
    Items result;
};

double run_once(SortJob& job) {
    job.finish();
    const auto start = std::chrono::steady_clock::now();
    job.sort();
    job.finish();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return took.count();
}

Outcome run_on_cpu(const SortSpec& spec, const Items& input) {
    Outcome outcome;
    const std::unique_ptr<SortJob> job = make_cpu_job(spec, input);
    outcome.algorithm = job->algorithm();
    job->restore();
    outcome.ms = run_once(*job);
    outcome.result = job->result();
    return outcome;
}

Outcome run_on_gpu(const SortOptions& options, const Items& input) {
    const std::unique_ptr<GlContext> context = open_context(options.context);
    SortSpec spec = sort_spec(options.items, options.algorithm);
    spec.backend = options.backend;
    spec.capacity = std::max(1u, static_cast<std::uint32_t>(input.count));
    spec.input = spec.output = options.io;
    GlJob job(*context, spec, input);

    Outcome outcome;
    outcome.renderer = context->context.renderer();
    outcome.algorithm = job.algorithm();
    outcome.backend = job.spec().backend;
    outcome.ms = run_once(job);
    outcome.result = job.result();
    return outcome;
}

Items make_input(const SortOptions& options, const ItemType& type) {
    if (options.input.empty()) return make_items(type, options.distribution, options.n, options.items.seed);
    Items items;
    items.keys = read_keys(options.input, key_bytes(type.key));
    items.count = items.keys.size() / (key_bytes(type.key) / 4);
    if (items.count > 0xffffffffu)
        throw std::runtime_error(fmt::format("{} holds {} keys; the limit is 2^32-1", options.input, items.count));
    items.values = make_values(type.payload, items.count);
    return items;
}

void check_files(const SortOptions& options) {
    if (!options.indices.empty() && options.items.payload.kind != Payload::Kind::index)
        throw UsageError("--indices needs --payload index, not " + to_string(options.items.payload));
    if (!options.indices.empty() && options.indices == options.output)
        throw UsageError("--indices and --output name the same file, " + options.output);
}

double mitems_per_s(std::size_t count, double ms) {
    return ms > 0 ? 1e-3 * static_cast<double>(count) / ms : 0;
}

std::string to_text(const SortOptions& options, const Outcome& outcome) {
    const ItemOptions& items = options.items;
    const std::size_t n = outcome.result.count;
    const std::string source = options.input.empty()
                                   ? fmt::format("{}, seed {}", distribution_name(options.distribution), items.seed)
                                   : options.input;
    std::string text = fmt::format("sorted    {} {} keys, {}, payload {}, from {}\n", n, to_string(items.key),
                                   to_string(items.order), to_string(items.payload), source);
    text += fmt::format("renderer  {}\n", outcome.renderer);
    text += fmt::format("program   {}:{} on {}, {}\n", outcome.algorithm.name, outcome.algorithm.variant,
                        to_string(outcome.backend),
                        options.io == Medium::buffer ? "in place in buffers" : "from texture to texture");
    text +=
        fmt::format("time      {:.3f} ms, {:.3f} Mitems/s, the first sort\n", outcome.ms, mitems_per_s(n, outcome.ms));
    return text;
}

nlohmann::ordered_json to_json(const SortOptions& options, const Outcome& outcome, std::optional<bool> verified) {
    nlohmann::ordered_json json;
    json["algorithm"] = outcome.algorithm.name;
    json["variant"] = outcome.algorithm.variant;
    json["backend"] = to_string(outcome.backend);
    json["renderer"] = outcome.renderer;
    json["io"] = to_string(options.io);
    json["n"] = outcome.result.count;
    json["key"] = to_string(options.items.key);
    json["payload"] = to_string(options.items.payload);
    json["order"] = to_string(options.items.order);
    json["layout"] = to_string(layout_of(options.items, outcome.algorithm));
    if (options.input.empty()) {
        json["distribution"] = distribution_name(options.distribution);
        json["seed"] = options.items.seed;
    } else {
        json["input"] = options.input;
    }
    json["ms"] = outcome.ms;
    json["mitems_per_s"] = mitems_per_s(outcome.result.count, outcome.ms);
    if (verified)
        json["verified"] = *verified;
    else
        json["verified"] = nullptr;
    return json;
}

void run(const SortOptions& options) {
    check_files(options);
    PlanRequest request{.spec = sort_spec(options.items, options.algorithm)};
    request.spec.backend = options.backend;
    request.spec.input = request.spec.output = options.io;
    // Small, so that mistakes show before any work; the program for all keys is made by the sorter.
    request.n = 2;
    plan_or_refuse(request);
    if (options.backend == Backend::cpu && options.io != Medium::buffer)
        throw UsageError("--io texture: the cpu backend sorts host memory, which is buffer");

    const ItemType type = {options.items.key, options.items.payload, options.items.order, options.items.bits};
    const Items input = make_input(options, type);
    const Outcome outcome =
        options.backend == Backend::cpu ? run_on_cpu(request.spec, input) : run_on_gpu(options, input);

    std::optional<std::string> difference;
    if (options.verify) difference = first_difference(outcome.result, sorted_reference(input, type), type);
    // A wrong result is not written.
    if (!difference) {
        std::vector<FileContent> files;
        if (!options.output.empty()) files.emplace_back(options.output, &outcome.result.keys);
        if (!options.indices.empty()) files.emplace_back(options.indices, &outcome.result.values);
        write_files(files);
    }
    if (options.format == Format::json)
        print_json(to_json(options, outcome, options.verify ? std::optional(!difference) : std::nullopt));
    else
        print(to_text(options, outcome) + (options.verify && !difference ? "verified\n" : ""));
    if (difference) throw std::runtime_error("verification failed: " + *difference);
}

}  // namespace

Command add_sort_command(CLI::App& app) {
    const auto options = std::make_shared<SortOptions>();
    CLI::App* command = app.add_subcommand("sort", "Sorts the keys of a file, or generated ones, once");
    CLI::Option* input =
        command->add_option("--input", options->input, "File of keys to sort: raw, little-endian, one after the other")
            ->type_name("FILE")
            ->take_last();
    add_value(*command, "--distribution", options->distribution, parse_distribution,
              "Keys to generate: " + distribution_names())
        ->type_name("NAME")
        ->default_str(std::string(distribution_name(options->distribution)))
        ->excludes(input);
    add_value(*command, "-n", options->n, parse_elements, "Keys to generate (digits or 2^K)")
        ->type_name("N")
        ->default_str("2^20")
        ->excludes(input);
    command->add_option("--output", options->output, "Writes the sorted keys, raw")->type_name("FILE")->take_last();
    command
        ->add_option("--indices", options->indices,
                     "Writes where each sorted key was in the input, as raw u32 numbers from 0 on")
        ->type_name("FILE")
        ->take_last();
    command->add_flag("--verify", options->verify,
                      "Compares the result with that of std::stable_sort; files are written only "
                      "if they agree");
    add_value(*command, "--algorithm", options->algorithm, parse_algorithm,
              "Algorithm and variant: " + algorithm_names())
        ->type_name("NAME[:VARIANT]")
        ->default_str(options->algorithm);
    add_value(*command, "--backend", options->backend, parse_backend,
              "Where to sort; the default is compute where the context has it, else fragment; cpu "
              "needs no context")
        ->type_name("fragment|compute|cpu");
    add_value(*command, "--io", options->io, medium_from_string,
              "Sorts in place in buffers, or from a texture to a texture")
        ->type_name("buffer|texture")
        ->default_str(std::string(to_string(options->io)));
    add_item_options(*command, options->items);
    add_context_options(*command, options->context);
    add_format_option(*command, options->format, {"text", "json"});
    command->footer(
        "The time, in milliseconds, is that of one sort from its call until the GPU is "
        "done, and the first of its kind; bench measures better.");
    return {command, [options] { run(*options); }};
}

}  // namespace glsort::demo
