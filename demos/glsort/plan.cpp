#include <fmt/format.h>

#include <glsort/error.h>
#include <glsort/plan/abisort/layout_table.h>
#include <glsort/stream/program.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "options.h"
#include "plan_json.h"
#include "plan_shaders.h"
#include "print_json.h"
#include "scene_options.h"
#include "support/file_access.h"
#include "support/memory.h"
#include "support/output_file.h"

namespace glsort::demo {
namespace {

struct PlanOptions {
    std::uint32_t n = 16;
    std::string algorithm = "automatic";
    Backend backend = Backend::automatic;
    std::optional<Medium> io;
    ItemOptions items;
    bool gpu_count = false;
    std::vector<std::string> limits;  ///< `name=value` each
    Format format = Format::text;
    bool layout_table = false;
    bool passes = false;
    bool tuning = false;
    bool full = false;
    std::filesystem::path glsl;  ///< The folder for shaders. Empty: no shaders are written.
    std::filesystem::path output = "-";
};

// Checks `name=value`, and replaces a value such as 2^15 by digits.
std::string checked_limit(const std::string& text) {
    std::string plain = text;
    const std::string name = text.substr(0, text.find('='));
    for (const LimitRow& row : limit_table()) {
        if (!row.is_number() || name != row.name || name == text) continue;
        try {
            plain = fmt::format("{}={}", name, parse_count(text.substr(name.size() + 1)));
        } catch (const LimitExceeded&) {
            throw;
        } catch (const std::invalid_argument& error) {
            throw std::invalid_argument(name + ": " + error.what());
        }
    }
    Limits ignored;
    apply_limits(ignored, plain);
    return plain;
}

std::string formatted(const StreamProgram& program, Format format, bool full) {
    switch (format) {
        case Format::table:
            return to_table(program);
        case Format::json:
            return full ? text_of(full_json(program)) : to_json(program);
        case Format::dot:
            return to_dot(program);
        case Format::text:
        case Format::csv:  // Not a format of `plan`.
            break;
    }
    return to_text(program) + to_rules(program);
}

// The layout table. Errors name the options of the command line.
std::string layout_table(const StreamProgram& program) {
    try {
        return to_layout_table(program);
    } catch (const Error&) {
        throw UsageError(fmt::format("--layout-table: --algorithm {}:{} with --count {} has no adaptive merge to show",
                                     program.algorithm, program.variant, program.n));
    }
}

// The program after each pass that changes it.
std::string pass_by_pass(const PlanRequest& request) {
    std::string text;
    std::string before;
    for (const PlannedPass& pass : plan_pass_by_pass(request)) {
        const std::string program = to_text(pass.program);
        text += fmt::format("== {}: {}\n{}\n", pass.name, pass.summary, program == before ? "(no change)\n" : program);
        before = program;
    }
    return text;
}

// `attachments (8; colour attachments of a framebuffer), ...`
std::string limits_help() {
    std::string text = "What the context offers: ";
    const char* separator = "";
    for (const LimitRow& row : limit_table()) {
        // The default that `run` sets.
        const std::string value = row.name == "storage_bytes" ? "any" : row.text(Limits{});
        text += fmt::format("{}{} ({}; {}{})", separator, row.name, value, row.is_number() ? "" : row.values(),
                            (row.is_number() ? "" : ": ") + std::string(row.help));
        separator = ", ";
    }
    return text;
}

// One number, or several numbers that form one value.
std::string numbers_text(const std::vector<std::uint64_t>& numbers) {
    std::string text;
    for (const std::uint64_t number : numbers) {
        if (!text.empty()) text += " x ";
        text += number == std::numeric_limits<std::uint32_t>::max() ? "any" : std::to_string(number);
    }
    return text;
}

std::string family_to_text(const TuningReport::Family& family) {
    std::string text = "\n" + family.name + "\n";
    for (const TuningReport::Value& value : family.values)
        text += fmt::format("  {:<20} {:>13}  {} ({})\n", value.name, numbers_text(value.numbers), value.unit,
                            value.measured);
    return text;
}

std::string tuning_to_text(const TuningReport& report, const TuningReport::Family& scene) {
    std::string text = fmt::format("tuning of {}:{} on {}\nrow: {} ({})\n", report.algorithm, report.variant,
                                   to_string(report.backend), report.row, report.reason);
    if (report.families.empty()) text += "no value of this variant goes by the device\n";
    for (const TuningReport::Family& family : report.families)
        text += family_to_text(family);
    return text + family_to_text(scene);
}

nlohmann::ordered_json family_to_json(const TuningReport::Family& family) {
    nlohmann::ordered_json out;
    for (const TuningReport::Value& value : family.values) {
        nlohmann::ordered_json numbers = value.numbers;
        if (value.numbers.size() == 1) numbers = value.numbers.front();
        if (numbers == std::numeric_limits<std::uint32_t>::max()) numbers = nullptr;  // Up to the device.
        out[value.name] = {{"value", numbers}, {"unit", value.unit}, {"measured", value.measured}};
    }
    return out;
}

nlohmann::ordered_json tuning_to_json(const TuningReport& report, const TuningReport::Family& scene) {
    nlohmann::ordered_json out;
    out["algorithm"] = report.algorithm;
    out["variant"] = report.variant;
    out["backend"] = to_string(report.backend);
    out["row"] = report.row;
    out["reason"] = report.reason;
    out["families"] = nlohmann::ordered_json::object();
    for (const TuningReport::Family& family : report.families)
        out["families"][family.name] = family_to_json(family);
    out["families"][scene.name] = family_to_json(scene);
    return out;
}

// Checks the options whose outputs replace the plan.
void check_instead(const PlanOptions& options) {
    const int instead = options.passes + options.layout_table + options.tuning;
    if (options.tuning && (instead > 1 || (options.format != Format::text && options.format != Format::json)))
        throw UsageError("--tuning: the tuning is text or json; leave --passes, --layout-table and other formats away");
    if (options.passes && (options.format != Format::text || options.layout_table))
        throw UsageError("--passes: the programs are text; leave --format and --layout-table away");
    if (!options.glsl.empty() && (instead > 0 || options.format != Format::text))
        throw UsageError(
            "--glsl: the output is the names of the files; leave --passes, --layout-table, --tuning and --format away");
    if (options.layout_table && options.format != Format::text)
        throw UsageError("--layout-table: the table is text; leave --format away");
    if (options.full && (options.format != Format::json || instead > 0))
        throw UsageError(
            "--full: streams and operations are for --format json; leave --layout-table and --tuning away");
    if (options.layout_table && options.n > layout_table_elements)
        throw UsageError(fmt::format("--layout-table: --count {} exceeds the limit of {} elements", options.n,
                                     layout_table_elements));
}

// Fragment if that backend supports the request, else compute.
Backend portable_backend(PlanRequest request) {
    request.spec.backend = Backend::fragment;
    // A count that no texture holds is no reason for another backend.
    request.n = request.spec.capacity = std::min(request.n, 2u);
    try {
        plan(request);
        return Backend::fragment;
    } catch (const Error&) {
        return Backend::compute;
    }
}

std::string tuning_of(const PlanRequest& request, Format format) {
    const TuningReport report = chosen_tuning(request);
    const TuningReport::Family scene = scene_tuning(request.limits);
    return format == Format::json ? text_of(tuning_to_json(report, scene)) : tuning_to_text(report, scene);
}

std::string output_of(const PlanOptions& options, const PlanRequest& request, const StreamProgram& program) {
    if (options.glsl == "-") return shaders_to_text(program);
    if (!options.glsl.empty()) return write_shaders(program, options.glsl);
    if (options.tuning) return tuning_of(request, options.format);
    if (options.passes) return pass_by_pass(request);
    return options.layout_table ? layout_table(program) : formatted(program, options.format, options.full);
}

void run(const PlanOptions& options) {
    check_instead(options);
    PlanRequest request{.spec = sort_spec(options.items, options.algorithm), .n = options.n};
    request.spec.backend = options.backend;
    request.spec.gpu_count = options.gpu_count;
    // The limit that OpenGL guarantees would rule out plans that every GPU can run.
    request.limits.storage_bytes = std::numeric_limits<std::uint64_t>::max();
    for (const std::string& limit : options.limits)
        apply_limits(request.limits, limit);
    if (request.spec.backend == Backend::automatic) request.spec.backend = portable_backend(request);
    if (!options.glsl.empty() && request.spec.backend == Backend::cpu)
        throw UsageError("--glsl: programs of --backend cpu have no shaders");
    request.spec.input = request.spec.output =
        options.io.value_or(default_io(request.spec.backend, request.spec.payload));

    const StreamProgram program = plan_or_refuse(request);
    try {
        validate(program, request.limits);
    } catch (const Error& error) {
        throw UsageError(
            fmt::format("--count {}: {}", count_text(options.n), in_units(without_function(error.what()))));
    }
    // The shaders of --glsl must not replace old ones before the list of their names is refused.
    check_writable(options.output);
    write_file(options.output, output_of(options, request, program));
}

}  // namespace

Command add_plan_command(CLI::App& app) {
    const auto options = std::make_shared<PlanOptions>();
    CLI::App* command =
        app.add_subcommand("plan", "Prints the stream program of a sort: its operations and what they cost");
    add_count(*command, options->n, "Elements to sort")->default_str(std::to_string(options->n));
    add_method_options(*command, options->algorithm, options->backend,
                       "fragment, or compute where the sort needs compute");
    add_value(*command, "--io", options->io, medium_from_string,
              "Where the caller's keys and values are; the default is texture on fragment, and "
              "buffer elsewhere and for values of more than 4 bytes")
        ->type_name("texture|buffer");
    add_item_options(*command, options->items);
    add_count_on(*command, options->gpu_count);
    add_list(*command, "--limits", options->limits, checked_limit, limits_help())->type_name("NAME=VALUE,...");
    add_format_option(*command, options->format, {"text", "table", "json", "dot"});
    command->add_flag("--full", options->full, "With --format json: also lists all streams and operations");
    command->add_flag("--layout-table", options->layout_table,
                      "Instead: where each operation of GPU-ABiSort's merges (--algorithm abisort) "
                      "writes, for up to " +
                          std::to_string(layout_table_elements) + " elements");
    command->add_flag("--passes", options->passes,
                      "Instead: the program after each pass of the planner, from the caller's streams to the whole");
    command->add_flag(
        "--tuning", options->tuning,
        "Instead: the tuning that the algorithm goes by (tile sizes and thresholds), its row of the tables, "
        "which of --limits decides that, and the tuning of scenes; as text or json");
    add_path(*command, "--glsl", options->glsl,
             "Instead: writes the distinct shaders of the operations, as they are compiled for desktop OpenGL, "
             "into this folder, and prints the files' names: NN-KERNEL.frag, .vert or .comp. Makes the folder "
             "where it is missing, and overwrites files; - prints the shaders")
        ->type_name("DIR");
    add_path(*command, "-o,--output", options->output, "Writes the output to this file; - is standard output")
        ->default_str("-");
    command->footer(
        "Needs no OpenGL context. text lists the operations, table sums them up by "
        "kernel, dot is a graph for Graphviz. The layout table has a line for each operation and a "
        "column for each record: the tree levels of its two nodes (s: the spare node), in brackets "
        "where the operation writes them. Operations are numbered from 0; the program stages shows the numbers of "
        "operations, levels, stages and steps that plan prints. --seed changes no plan. Tuning has rows for "
        "a software rasteriser (software=yes), a known GPU "
        "(multiprocessors=N) and an unknown one; the sections named are of the pages in docs/experiments.");
    return {command, [options] { run(*options); }};
}

}  // namespace glsort::demo
