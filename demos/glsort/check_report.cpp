#include "check_report.h"

#include <fmt/format.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace glsort::check {
namespace {

std::string source_of(const Payload& payload) {
    if (payload.kind == Payload::Kind::none) return "Payload::none()";
    if (payload.kind == Payload::Kind::index) return "Payload::index()";
    return fmt::format("Payload::bytes({})", payload.size);
}

std::string source_of(Layout layout) {
    return layout == Layout::z_order ? "Layout::z_order" : "Layout::row_wise";
}

std::string text_of(const Contexts& contexts, ContextId context) {
    const ContextReport& report = contexts.report(context);
    return fmt::format("{}: {}, OpenGL {}", name_of(context), report.renderer, report.version);
}

std::string text_of(const Limits& limits) {
    std::string text;
    for (const LimitRow& row : limit_table())
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", row.name, row.text(limits));
    return text;
}

std::string text_of(const std::optional<State>& state) {
    if (!state) return "that of a new context";
    return fmt::format("hostile, seed {}, share {}{}{}", state->seed, state->share,
                       state->feedback ? ", transform feedback active" : "", state->query ? ", a query active" : "");
}

std::string text_of_storage(const SlotPlan& slot) {
    return fmt::format("{}{}", to_string(slot.storage), slot.immutable_textures ? ", immutable textures" : "");
}

std::string text_of(const SlotPlan& slot) {
    const auto shape = [](const char* name, const std::optional<TextureView>& view) {
        return view ? fmt::format(", {} {}x{} {}", name, view->width, view->height, to_string(view->layout)) : "";
    };
    return fmt::format("{} words before keys, {} before values, {} behind{}{}{}{}{}", slot.before_keys,
                       slot.before_values, slot.behind, slot.one_buffer ? ", one buffer" : "", text_of_storage(slot),
                       slot.wide_input ? ", wide input" : "", shape("input", slot.input), shape("output", slot.output));
}

std::string text_of(const SorterPlan& sorter, const SamplePlan& sample) {
    const KnownComparison* known = sorter.known();
    return fmt::format("n {}, {}, seed {}{}", sample.count,
                       known != nullptr ? known->comparison.name : demo::distribution_name(sample.distribution),
                       sample.seed, sample.lists > 0 ? fmt::format(", {} lists", sample.lists) : "");
}

std::string text_of(const SorterPlan& sorter, const Call& call) {
    const std::string steps = call.action == Action::abandon ? fmt::format(" ({})", call.steps) : "";
    const std::string between =
        call.between == Between::nothing ? "" : fmt::format("; before: {} ({})", to_string(call.between), call.number);
    return fmt::format("place {}, {}: upload by {}{}, {}{}, {}, read {} by {}{}", call.slot,
                       text_of(sorter, sorter.samples[call.sample]), to_string(call.upload),
                       call.junk ? " and junk to the output" : "", to_string(call.action), steps,
                       call.all_readers ? "all readers" : "its reader", to_string(call.keep), to_string(call.reading),
                       between);
}

// The visit that failed. Null: construction or destruction failed.
const Visit* visit_of(const Finding& finding) {
    return finding.failure.visit < finding.round.visits.size() ? &finding.round.visits[finding.failure.visit] : nullptr;
}

// Whether the failed sorter has a call at the place `slot`.
bool is_used(const Finding& finding, std::size_t slot) {
    return std::ranges::any_of(finding.round.visits, [&](const Visit& visit) {
        return visit.sorter == finding.failure.sorter &&
               std::ranges::any_of(visit.calls, [slot](const Call& call) { return call.slot == slot; });
    });
}

std::uint32_t count_of(const Finding& finding) {
    const Visit* visit = visit_of(finding);
    const SorterPlan& sorter = finding.round.sorters[finding.failure.sorter];
    if (visit == nullptr || visit->calls.empty()) return sorter.spec.capacity;
    const std::size_t call = std::min(finding.failure.call, visit->calls.size() - 1);
    return sorter.samples[visit->calls[call].sample].count;
}

// The calls up to the failure, one per line.
std::vector<std::string> calls_of(const Finding& finding) {
    std::vector<std::string> calls;
    for (std::size_t i = 0; i < finding.round.visits.size() && i <= finding.failure.visit; ++i) {
        const Visit& visit = finding.round.visits[i];
        for (const Call& call : visit.calls)
            calls.push_back(
                fmt::format("sorter {}, {}", visit.sorter, text_of(finding.round.sorters[visit.sorter], call)));
    }
    return calls;
}

// The places at which the failed sorter has a call.
std::vector<std::string> places_of(const Finding& finding) {
    const SorterPlan& sorter = finding.round.sorters[finding.failure.sorter];
    std::vector<std::string> places;
    for (std::size_t s = 0; s < sorter.slots.size(); ++s)
        if (visit_of(finding) != nullptr && is_used(finding, s))
            places.push_back(fmt::format("{:<4} {}", s, text_of(sorter.slots[s])));
    return places;
}

// Max calls in a paragraph. A round that was made smaller has one or two.
constexpr std::size_t most_calls_told = 8;

std::optional<State> state_of(const Finding& finding) {
    const Visit* visit = visit_of(finding);
    return visit != nullptr ? visit->state : finding.round.sorters[finding.failure.sorter].born;
}

/// The members of an initialiser that differ from the defaults, as C++ source.
class Members {
  public:
    void add(bool differs, const char* name, const std::string& value) {
        if (differs) members_.push_back(fmt::format(".{} = {}", name, value));
    }
    void number(std::uint32_t value, const char* name) { add(value != 0, name, std::to_string(value)); }
    void add(const char* name, const Members& nested) { add(!nested.members_.empty(), name, nested.text()); }
    std::string text() const { return fmt::format("{{{}}}", fmt::join(members_, ", ")); }
    bool empty() const { return members_.empty(); }

  private:
    std::vector<std::string> members_;
};

Members members_of(const SortOrder& order) {
    const SortOrder plain;
    Members members;
    members.add(!order.comparison && order.key != plain.key, "key", fmt::format("KeyType::{}", to_string(order.key)));
    members.add(order.bits != plain.bits, "bits", fmt::format("{{{}, {}}}", order.bits.first, order.bits.end));
    if (order.comparison) members.add(true, "comparison", fmt::format("/* {} */ comparison", order.comparison->name));
    members.add(order.direction != plain.direction, "direction", "Direction::descending");
    return members;
}

Members members_of(const Tuning& tuning) {
    Members radix, sample, networks, members;
    radix.number(tuning.radix.digit_bits, "digit_bits");
    sample.number(tuning.sample.tile, "tile");
    sample.number(tuning.sample.samples, "samples");
    networks.number(tuning.networks.tile, "tile");
    members.add("radix", radix);
    members.add("sample", sample);
    members.add("networks", networks);
    return members;
}

Members members_of_options(const SorterPlan& sorter) {
    const SorterOptions& options = sorter.options;
    Members members;
    members.add(options.state != StatePolicy::restore, "state", "StatePolicy::caller_resets");
    members.add(!options.barrier_before, "barrier_before", "false");
    members.add(options.debug_groups, "debug_groups", "true");
    members.add(sorter.shared_scratch, "shared_scratch", "scratch");
    members.add(options.caller_scratch, "caller_scratch", "true");
    members.number(options.max_elements_per_draw, "max_elements_per_draw");
    return members;
}

}  // namespace

std::string to_source(const SorterPlan& sorter) {
    const SortSpec& spec = sorter.spec;
    const SortSpec plain;
    Members members;
    members.add("order", members_of(spec.order));
    members.add(spec.payload != plain.payload, "payload", source_of(spec.payload));
    members.number(spec.capacity, "capacity");
    members.add(spec.algorithm != plain.algorithm, "algorithm", fmt::format("\"{}\"", spec.algorithm));
    members.add(spec.backend != plain.backend, "backend", fmt::format("Backend::{}", to_string(spec.backend)));
    members.add("tuning", members_of(spec.tuning));
    members.number(spec.max_lists, "max_lists");
    if (spec.layout) members.add(true, "layout", source_of(*spec.layout));
    members.add(spec.input != plain.input, "input", "Medium::texture");
    members.add(spec.output != plain.output, "output", "Medium::texture");
    members.add(spec.own_output, "own_output", "true");
    members.add(spec.gpu_count, "gpu_count", "true");
    members.add(spec.gpu_count_medium != plain.gpu_count_medium, "gpu_count_medium", "Medium::texture");
    const Members how = members_of_options(sorter);
    return "SortSpec" + members.text() + (how.empty() ? "" : ", SorterOptions" + how.text());
}

std::string heading_of(const Round& round) {
    std::string text = fmt::format("round {}\n", round.seed);
    for (std::size_t i = 0; i < round.sorters.size(); ++i) {
        const SorterPlan& sorter = round.sorters[i];
        text += fmt::format("sorter {}: {}{}, {}, state at construction: {}{}, destroyed {}\n", i,
                            name_of(sorter.context()), sorter.least_limits ? ", least limits" : "", to_source(sorter),
                            text_of(sorter.born), sorter.born_with_error ? ", first with an error pending" : "",
                            to_string(sorter.farewell));
        for (std::size_t s = 0; s < sorter.slots.size(); ++s)
            text += fmt::format("  place {}: {}\n", s, text_of(sorter.slots[s]));
    }
    return text;
}

std::string to_text(const Round& round) {
    std::string text = heading_of(round);
    for (const Visit& visit : round.visits) {
        text += fmt::format("sorter {}, state: {}{}\n", visit.sorter, text_of(visit.state),
                            visit.compare ? ", compared" : "");
        for (const Call& call : visit.calls)
            text += fmt::format("  {}\n", text_of(round.sorters[visit.sorter], call));
    }
    return text;
}

std::string to_text(const Finding& finding, const Contexts& contexts) {
    const SorterPlan& sorter = finding.round.sorters[finding.failure.sorter];
    std::string text = fmt::format("{}\n", finding.failure.what);
    text += fmt::format("  context    {}{}\n", text_of(contexts, sorter.context()),
                        sorter.least_limits ? ", limits held to the least" : "");
    text += fmt::format("  sorter     {}\n", to_source(sorter));
    text += fmt::format("  n          {}\n", count_of(finding));
    text += fmt::format("  state      {}\n", text_of(state_of(finding)));
    if (!finding.settings.empty()) {
        constexpr std::size_t most = 12;
        const std::size_t told = std::min(most, finding.settings.size());
        const std::vector<std::string> first(finding.settings.begin(),
                                             finding.settings.begin() + static_cast<std::ptrdiff_t>(told));
        text += fmt::format(
            "  settings   {}{}\n", fmt::join(first, "; "),
            told < finding.settings.size() ? fmt::format("; and {} more", finding.settings.size() - told) : "");
    }
    if (visit_of(finding) == nullptr)
        text += fmt::format("  when       at construction or destruction ({})\n", to_string(sorter.farewell));
    for (const std::string& place : places_of(finding))
        text += fmt::format("  place {}\n", place);
    const std::vector<std::string> calls = calls_of(finding);
    for (std::size_t i = 0; i < calls.size() && i < most_calls_told; ++i)
        text += fmt::format("  {:<10} {}\n", i == 0 ? "calls" : "", calls[i]);
    if (calls.size() > most_calls_told)
        text += fmt::format("             and {} more\n", calls.size() - most_calls_told);
    text += fmt::format("  repeated   {} of {} times\n", finding.repeats, finding.of_repeats);
    text += fmt::format("  again      {}\n", finding.command);
    if (!finding.alike.empty()) text += fmt::format("  alike      rounds {}\n", fmt::join(finding.alike, ", "));
    return text;
}

std::string to_text(const Summary& summary, const Totals& totals, const Contexts& contexts) {
    std::string text = fmt::format("glsort {} check, seed {}\n\ncontexts\n", version(), summary.seed);
    for (const Offer& offer : contexts.offers()) {
        if (offer.extensions) continue;
        const ContextReport& report = contexts.report(offer.tier);
        text += fmt::format("  {:<7} {} | {} | {}\n", trial::tier_name(offer.tier), report.renderer, report.version,
                            report.shading_language);
        text += fmt::format("          {}\n", text_of(report.limits));
    }
    for (const Contexts::Missing& missing : contexts.missing())
        text += fmt::format("  {:<7} left out: {}\n", trial::tier_name(missing.tier), missing.reason);
    text += fmt::format(
        "\ntotals{}\n"
        "  sorts           {} ({} of more than 4096 elements), in {} rounds\n"
        "  configurations  {}\n"
        "  steps           {}\n"
        "  state values    {}\n"
        "  refused calls   {}\n"
        "  memory          {:.0f} MiB of the process, {}\n"
        "  seconds         {:.1f}\n"
        "  failed rounds   {}\n",
        summary.interrupted ? ", interrupted" : "", totals.sorts.load(), totals.large_sorts.load(),
        totals.rounds.load(), totals.configurations.size(), totals.steps.load(), totals.state_values.load(),
        totals.refused_calls.load(), summary.memory_mib,
        summary.memory_growth ? fmt::format("{:+.1f} KiB per 1000 sorts", *summary.memory_growth)
                              : "too few rounds to tell its growth",
        summary.seconds, totals.failures.load());
    if (summary.leaks_memory)
        text += fmt::format("  failed          memory grows by more than {} KiB per 1000 sorts\n", most_memory_growth);
    for (const std::string& slow : summary.slow_rounds)
        text += fmt::format("  slow            {}\n", slow);
    for (std::size_t i = 0; i < summary.findings.size(); ++i)
        text += fmt::format("\nfailure {}: {}", i + 1, to_text(summary.findings[i], contexts));
    if (summary.untold > 0) text += fmt::format("\nand {} rounds more that failed\n", summary.untold);
    return text;
}

nlohmann::ordered_json to_json(const Summary& summary, const Totals& totals, const Contexts& contexts) {
    nlohmann::ordered_json json;
    json["glsort"] = version();
    json["sorts"] = totals.sorts.load();
    json["large_sorts"] = totals.large_sorts.load();
    json["rounds"] = totals.rounds.load();
    json["configurations"] = totals.configurations.size();
    json["steps"] = totals.steps.load();
    json["state_values"] = totals.state_values.load();
    json["refused_calls"] = totals.refused_calls.load();
    json["contexts"] = nlohmann::ordered_json::array();
    for (const Offer& offer : contexts.offers()) {
        if (offer.extensions) continue;
        const ContextReport& report = contexts.report(offer.tier);
        json["contexts"].push_back({{"name", trial::tier_name(offer.tier)},
                                    {"available", true},
                                    {"renderer", report.renderer},
                                    {"version", report.version}});
    }
    for (const Contexts::Missing& missing : contexts.missing())
        json["contexts"].push_back(
            {{"name", trial::tier_name(missing.tier)}, {"available", false}, {"reason", missing.reason}});
    json["failures"] = nlohmann::ordered_json::array();
    for (const Finding& finding : summary.findings) {
        const SorterPlan& sorter = finding.round.sorters[finding.failure.sorter];
        json["failures"].push_back({{"what", finding.failure.what},
                                    {"context", trial::tier_name(sorter.tier)},
                                    {"all_extensions", sorter.extensions},
                                    {"specification", to_source(sorter)},
                                    {"n", count_of(finding)},
                                    {"state", text_of(state_of(finding))},
                                    {"settings", finding.settings},
                                    {"places", places_of(finding)},
                                    {"calls", calls_of(finding)},
                                    {"round", finding.seed},
                                    {"repeated", finding.repeats},
                                    {"repeats", finding.of_repeats},
                                    {"command", finding.command},
                                    {"alike", finding.alike}});
    }
    json["failed_rounds"] = totals.failures.load();
    json["slow_rounds"] = summary.slow_rounds;
    json["memory_mib"] = summary.memory_mib;
    json["memory_growth_kib_per_1000_sorts"] = nullptr;
    if (summary.memory_growth) json["memory_growth_kib_per_1000_sorts"] = *summary.memory_growth;
    json["leaks_memory"] = summary.leaks_memory;
    json["interrupted"] = summary.interrupted;
    json["seed"] = summary.seed;
    json["seconds"] = summary.seconds;
    return json;
}

}  // namespace glsort::check
