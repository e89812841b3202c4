#include <fmt/format.h>

#include <glsort/base/browser.h>
#include <glsort/base/glsl_text.h>
#include <glsort/error.h>
#include <glsort/plan/enumerator.h>
#include <glsort/plan/scene/front_source.h>
#include <glsort/plan/scene/scene_access.h>
#include <glsort/plan/scene/scene_builder.h>
#include <glsort/plan/scene/scene_command.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/stream/count_rule.h>

#include <string>
#include <utility>
#include <vector>

namespace glsort::scene {
namespace {

void check_source(const SceneSource& source) {
    check_callers_glsl("sort_key", source.sort_key);
    check_inputs(source.inputs, source.capacity);
    check_enumerator("gpu_count_medium", source.gpu_count_medium, Medium::texture);
    check_values(source.values);
}

void check_quantisation(const SceneSpec& spec) {
    if (!spec.quantisation) return;
    using Scale = SceneQuantisation::Scale;
    const SceneQuantisation& quantisation = *spec.quantisation;
    if (spec.key != KeyType::f32)
        throw Error(fmt::format("key {}; with quantisation it must be f32", to_string(spec.key)));
    check_enumerator("quantisation.scale", quantisation.scale, Scale::reciprocal, "reciprocal");
    if (quantisation.key_bits < 8 || quantisation.key_bits > 32)
        throw Error(fmt::format("quantisation.key_bits {}; it must be 8 to 32", quantisation.key_bits));
}

void check_commands(const SceneSpec& spec, std::uint64_t items) {
    if (in_browser && !spec.commands.empty()) throw Error("commands: no draw of WebGL2 can read them");
    if (spec.commands.size() > max_scene_commands)
        throw Error(fmt::format("{} commands; the limit is {}", spec.commands.size(), max_scene_commands));
    constexpr std::uint64_t most = 0xffffffff;
    for (std::size_t i = 0; i < spec.commands.size(); ++i) {
        const SceneCommand& command = spec.commands[i];
        check_enumerator(fmt::format("commands[{}].kind", i), command.kind, SceneCommand::Kind::elements, "elements");
        if (const std::uint64_t per_item = command.per_item; !command.instanced && per_item > most / items)
            throw Error(fmt::format("commands[{}].per_item {} times {} items exceeds the limit of {}", i, per_item,
                                    items, most));
    }
}

}  // namespace

std::uint32_t items_of(const SceneSpec& spec) {
    return base_of(spec.sources, spec.sources.size());
}

void check_spec(const SceneSpec& spec) {
    if (spec.sources.empty() || spec.sources.size() > max_scene_sources)
        throw Error(fmt::format("{} sources; there must be 1 to {}", spec.sources.size(), max_scene_sources));
    if (spec.key != KeyType::f32 && spec.key != KeyType::i32 && spec.key != KeyType::u32 && spec.key != KeyType::u64)
        throw Error(fmt::format("key {}; it must be f32, i32, u32 or u64", to_string(spec.key)));
    std::uint64_t items = 0;
    for (std::size_t i = 0; i < spec.sources.size(); ++i) {
        items += spec.sources[i].capacity;
        try {
            check_source(spec.sources[i]);
        } catch (const Error& error) {
            throw Error(fmt::format("source {} ({}): {}", i, spec.sources[i].name, error.what()));
        }
    }
    constexpr std::uint64_t most = 0xfffffffe;
    if (items < 1 || items > most)
        throw Error(fmt::format("the capacities add up to {}; the sum must be 1 to {}", items, most));
    check_quantisation(spec);
    check_commands(spec, items);
    check_sinks(spec, items);
}

StreamProgram empty_program(const SceneSpec& spec, Backend backend, const char* variant) {
    StreamProgram program;
    program.algorithm = "scene";
    program.variant = variant;
    program.backend = backend;
    program.n = items_of(spec);
    program.key = spec.key;
    program.direction = spec.direction;
    program.payload = Payload::bytes(4);
    program.layout = stream_layout(Layout::row_wise, program.n);
    return program;
}

SceneBuilder::SceneBuilder(const SceneSpec& asked, Backend backend) : spec(asked), form(key_form(asked)) {
    plan.program = empty_program(spec, backend, "keys");
    for (std::size_t number = 0; number < spec.sources.size(); ++number) {
        const SceneSource& source = spec.sources[number];
        if (source.capacity == 0) continue;
        ScenePlan::Source planned;
        planned.number = number;
        for (const SceneInput& input : source.inputs)
            planned.inputs.push_back(
                add(input_stream(fmt::format("source_{}.{}", number, input.name), input, source.capacity)));
        if (source.gpu_count)
            planned.count =
                declare(fmt::format("source_{}.gpu_count", number), StreamRole::input, source.gpu_count_medium, 1, 1);
        plan.sources.push_back(std::move(planned));
    }
}

StreamId SceneBuilder::declare(std::string name, StreamRole role, Medium medium, std::uint32_t words,
                               std::uint32_t records) {
    return add(Stream{.name = std::move(name),
                      .role = role,
                      .medium = medium,
                      .words = words,
                      .records = records,
                      .layout = stream_layout(Layout::row_wise, records),
                      .any_width = role == StreamRole::input && medium == Medium::texture});
}

std::vector<StreamUse> SceneBuilder::reads_of(const ScenePlan::Source& planned) const {
    std::vector<StreamUse> reads;
    for (const StreamId input : planned.inputs)
        reads.push_back({input, all_of(input)});
    if (planned.count) reads.push_back({*planned.count, all_of(*planned.count)});
    return reads;
}

void SceneBuilder::declare_commands() {
    for (std::size_t i = 0; i < spec.commands.size(); ++i)
        plan.commands.push_back(declare(fmt::format("command_{}", i), StreamRole::output, Medium::buffer, 1,
                                        command_bytes(spec.commands[i].kind) / 4));
}

void SceneBuilder::add_results(Op op, const SceneResults& results) {
    op.writes.push_back({plan.status, all_of(plan.status)});
    for (std::size_t i = 0; i < results.commands.size(); ++i) {
        op.writes.push_back({plan.commands[i], all_of(plan.commands[i])});
        for (const std::uint32_t parameter : parameters_of(results.commands[i]))
            op.parameters.push_back(parameter);
    }
    if (results.writes_sort_numbers) {
        ScenePlan::SortNumbers numbers;
        numbers.rules = declare("rules", StreamRole::input, Medium::buffer, 4, rule_words / 4);
        numbers.numbers = declare("numbers", StreamRole::output, Medium::buffer, 1, count_status_words);
        numbers.op = plan.program.ops.size();
        numbers.first_parameter = op.parameters.size();
        op.reads.push_back({numbers.rules, all_of(numbers.rules)});
        op.writes.push_back({numbers.numbers, all_of(numbers.numbers)});
        op.parameters.resize(op.kernel->parameters.size());
        plan.sort_numbers = numbers;
    }
    add(std::move(op));
    // The ops of the commands read the status. An op must not read a stream of the role `output`.
    if (results.commands.size() < spec.commands.size()) plan.program.streams[plan.status].role = StreamRole::in_place;
    add_commands({plan.status, all_of(plan.status)}, 0, results.commands.size());
}

void SceneBuilder::add_commands(const StreamUse& visible, std::uint32_t place, std::size_t first) {
    for (std::size_t i = first; i < spec.commands.size(); ++i) {
        Op op;
        op.kernel = command_kernel(plan.program.streams[visible.stream].medium == Medium::texture);
        op.domain = all_of(plan.commands[i]);
        op.reads = {visible};
        op.writes = {{plan.commands[i], op.domain}};
        op.parameters = {place};
        for (const std::uint32_t parameter : parameters_of(spec.commands[i]))
            op.parameters.push_back(parameter);
        add(std::move(op));
    }
}

void set_rules(StreamProgram& program, const ScenePlan::SortNumbers& numbers, std::uint32_t rules,
               std::uint32_t words) {
    const auto resize = [&program](std::vector<StreamUse>& uses, StreamId stream, std::uint32_t records) {
        program.streams[stream].records = records;
        for (StreamUse& use : uses)
            if (use.stream == stream) use.records = Substream::range(0, records);
    };
    Op& op = program.ops[numbers.op];
    resize(op.reads, numbers.rules, rules * rule_words / 4);
    resize(op.writes, numbers.numbers, words);
}

ScenePlan plan_scene(const SceneSpec& spec, const Limits& limits, [[maybe_unused]] bool writes_sort_numbers) {
    // Conditional compilation: kernels of groups that are not built cannot be linked.
#if GLSORT_GROUPS
    if (spec.backend != Backend::fragment && limits.invocations == 0)
        throw Error(fmt::format("backend {} needs groups of invocations; the limit of a group is 0 (invocations)",
                                to_string(spec.backend)));
    if (const auto fronts = fronts_of(spec, limits)) return plan_fronts(spec, limits, writes_sort_numbers, *fronts);
    if (spec.backend != Backend::fragment) return plan_tiles(spec, limits, writes_sort_numbers);
#endif
    return plan_pyramid(spec, limits);
}

}  // namespace glsort::scene
