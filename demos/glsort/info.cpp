#include <fmt/format.h>

#include <glsort/gl/state_table.h>
#include <glsort/gl_types.h>
#include <glsort/sorter.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cli/contradictions.h"
#include "gl_io.h"
#include "options.h"
#include "print_json.h"

namespace glsort::demo {
namespace {

struct InfoOptions {
    ContextOptions context;
    bool state = false;
    Format format = Format::text;
};

nlohmann::ordered_json to_json(const LimitRow& row, const Limits& limits) {
    const auto value = [&limits](auto member) -> nlohmann::ordered_json {
        if constexpr (std::is_same_v<decltype(member), Subgroups Limits::*>)
            return to_string(limits.*member);
        else
            return limits.*member;
    };
    return std::visit(value, row.member);
}

// The reason for the choice of `automatic`.
std::string reason_for(const AlgorithmChoice& automatic, const ContextReport& report) {
    const Limits& limits = report.limits;
    if (automatic.portable)
        return report.automatic == Backend::fragment ? "it needs no compute shaders"
                                                     : "a software rasteriser pays for barriers";
    if (!limits.has_subgroups()) return "there are no subgroup operations that pass a test";
    if (!limits.look_back) return "this GPU is not known to run every group that has begun";
    if (limits.storage_blocks < 6) return "a sweep needs six storage blocks";
    return fmt::format("subgroups of {} have passed a test, and this GPU runs every group that has begun",
                       limits.subgroup_size);
}

// The choice of `automatic` in this context.
AlgorithmChoice automatic_algorithm(const ContextReport& report) {
    PlanRequest request;
    request.spec.backend = report.automatic;
    request.limits = report.limits;
    return choose_algorithm(request);
}

std::string to_text(const ContextReport& report, const std::string& platform) {
    const AlgorithmChoice automatic = automatic_algorithm(report);
    std::string out = fmt::format(
        "renderer          {}\n"
        "OpenGL            {}\n"
        "shading language  {}\n"
        "context           {}\n"
        "\nbackends\n",
        report.renderer, report.version, report.shading_language, platform);
    for (const ContextReport::Offer& offer : report.offers)
        out +=
            fmt::format("  {:<10} {:<4} {}\n", to_string(offer.backend), offer.available ? "yes" : "no", offer.reason);
    out += fmt::format("  {:<10} {} ({})\n", "automatic", to_string(report.automatic), report.automatic_reason);
    out += "\nlimits\n";
    for (const LimitRow& row : limit_table())
        out += fmt::format("  {:<15} {:>11}  {}\n", row.name, row.text(report.limits), row.help);
    out += "\nalgorithms\n";
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            out += fmt::format("  {:<24} {}{}\n", algorithm.name + ":" + variant.name, variant.summary,
                               variant.takes.fragment ? "" : " (not on fragment)");
    out += fmt::format("  {:<24} {}:{} ({})\n", "automatic", automatic.name, automatic.variant,
                       reason_for(automatic, report));
    return out;
}

nlohmann::ordered_json to_json(const ContextReport& report, const std::string& platform) {
    nlohmann::ordered_json out;
    out["glsort"] = version();
    out["renderer"] = report.renderer;
    out["version"] = report.version;
    out["shading_language"] = report.shading_language;
    out["context"] = platform;
    for (const ContextReport::Offer& offer : report.offers)
        out["backends"][std::string(to_string(offer.backend))] = {{"available", offer.available},
                                                                  {"reason", offer.reason}};
    const AlgorithmChoice automatic = automatic_algorithm(report);
    out["automatic"] = {{"backend", to_string(report.automatic)},
                        {"reason", report.automatic_reason},
                        {"algorithm", automatic.name},
                        {"variant", automatic.variant},
                        {"algorithm_reason", reason_for(automatic, report)}};
    for (const LimitRow& row : limit_table())
        out["limits"][std::string(row.name)] = to_json(row, report.limits);
    out["algorithms"] = nlohmann::ordered_json::array();
    for (const Algorithm& algorithm : algorithms()) {
        nlohmann::ordered_json variants = nlohmann::ordered_json::array();
        for (const Algorithm::Variant& variant : algorithm.variants)
            variants.push_back(
                {{"name", variant.name}, {"summary", variant.summary}, {"portable", variant.takes.fragment}});
        out["algorithms"].push_back({{"name", algorithm.name}, {"variants", variants}});
    }
    return out;
}

const char* changed_by(const StateItem& item) {
    if (item.precondition) return "precondition";
    return item.fragment && item.compute ? "both" : item.fragment ? "fragment" : "compute";
}

// A table in Markdown, and the state that no test reaches, as in docs/state.md.
std::string state_to_text() {
    std::string text =
        "| state | glGet knows it as | a sort sets it to | changed by | since |\n|---|---|---|---|---|\n";
    for (const StateItem& item : state_items())
        text += fmt::format("| {} | {} | {} | {} | {} |\n", item.words, item.names, item.set_to, changed_by(item),
                            item.origin);
    return text + "\n## What no test reaches\n\n" + gl::unreached_state();
}

nlohmann::ordered_json state_to_json() {
    nlohmann::ordered_json items = nlohmann::ordered_json::array();
    for (const StateItem& item : state_items())
        items.push_back({{"state", item.words},
                         {"names", item.names},
                         {"set_to", item.set_to},
                         {"changed_by", changed_by(item)},
                         {"since", item.origin}});
    return items;
}

void run(const InfoOptions& options) {
    if (options.state) {
        if (options.format == Format::json)
            print_json(state_to_json());
        else
            print(state_to_text());
        return;
    }
    const std::unique_ptr<GlContext> context = open_context(options.context);
    const ContextReport report = describe_context(HeadlessContext::get_proc_address());
    const std::string& platform = context->context.platform();
    if (options.format == Format::json)
        print_json(to_json(report, platform));
    else
        print(to_text(report, platform));
}

}  // namespace

Command add_info_command(CLI::App& app) {
    const auto options = std::make_shared<InfoOptions>();
    CLI::App* command =
        app.add_subcommand("info", "Describes the OpenGL context that there is, and what glsort can do in it");
    add_context_options(*command, options->context);
    command->add_flag("--state", options->state,
                      "Lists the OpenGL state that sorts change, as a table in Markdown, instead; needs no context");
    add_format_option(*command, options->format, {"text", "json"});
    const std::string reason = "the list of the state needs no context";
    refuse_contradictions(*command, {{{"--state", "--api"}, reason, {}}, {{"--state", "--gl-version"}, reason, {}}});
    command->footer("The limits are those that plan takes by --limits.");
    return {command, [options] { run(*options); }};
}

}  // namespace glsort::demo
