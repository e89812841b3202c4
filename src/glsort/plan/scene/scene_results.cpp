#include <glsort/plan/scene/scene_command.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_results.h>
#include <glsort/stream/count_rule.h>
#include <glsort/stream/cpu_invocation.h>

#include <array>
#include <cstddef>
#include <string>

namespace glsort::scene {
namespace {

/// Where a kernel has the rules and the numbers of the sort.
struct NumberPorts {
    std::size_t rules = 0;            ///< Of the inputs.
    std::size_t numbers = 0;          ///< Of the outputs.
    std::size_t first_parameter = 0;  ///< `ScenePlan::SortNumbers::first_parameter`.
};

/// The specification of shaders/scene/sort_numbers.glsl.
void write_numbers(CpuInvocation& k, const NumberPorts& ports, std::uint32_t count) {
    const auto write = [&](std::uint32_t word, std::uint32_t number) { k.scatter(ports.numbers, word, {number}); };
    const std::size_t first = ports.first_parameter;
    for (std::uint32_t i = 0; i < k.parameter(first); ++i) {
        const Element target = k.read(ports.rules, 2 * i);
        const Element terms = k.read(ports.rules, 2 * i + 1);
        const CountRule rule{target[0], CountRule::Kind{target[1]}, target[2], target[3], terms[0], terms[1], terms[2],
                             terms[3]};
        if (rule.kind == CountRule::Kind::number) write(rule.word, rule.number(count));
        if (rule.kind == CountRule::Kind::base) write(rule.word, k.parameter(first + 2 + rule.extra));
        if (rule.kind != CountRule::Kind::groups) continue;
        const std::array<std::uint32_t, 3> groups = rule.groups(count, k.parameter(first + 1));
        for (std::uint32_t part = 0; part < groups.size(); ++part)
            write(rule.word + part, groups[part]);
    }
    for (std::uint32_t i = 0; i < count_status_words; ++i)
        write(i, i == 0 ? count : 0);
}

/// Lets the kernel write the numbers of the sort.
NumberPorts declare_numbers(Kernel& kernel) {
    const NumberPorts ports{kernel.inputs.size(), kernel.outputs.size(), kernel.parameters.size()};
    kernel.defines.emplace_back("GLSORT_FIRST_BASE", literal(static_cast<std::uint32_t>(kernel.parameters.size() + 2)));
    kernel.inputs.push_back(
        {.name = "rules", .access = Access::gather, .words = 4, .elements = any_elements, .role = PortRole::other});
    kernel.outputs.push_back(
        {.name = "numbers", .access = Access::scatter, .elements = any_elements, .role = PortRole::other});
    kernel.parameters.push_back({"rules"});
    kernel.parameters.push_back({"most_columns"});
    for (std::uint32_t i = 0; i < max_count_bases; ++i)
        kernel.parameters.push_back({"base_" + std::to_string(i)});
    return ports;
}

}  // namespace

SceneResults results_of(const SceneSpec& spec, bool writes_sort_numbers, std::uint32_t taken, const Limits& limits) {
    SceneResults results{.commands = spec.commands, .writes_sort_numbers = false};
    if (taken + results.blocks() > limits.storage_blocks) results.commands.clear();
    results.writes_sort_numbers = writes_sort_numbers;
    if (taken + results.blocks() > limits.storage_blocks) results.writes_sort_numbers = false;
    return results;
}

ResultsBody declare_results(Kernel& kernel, const SceneResults& results) {
    const std::size_t status = kernel.outputs.size();
    kernel.outputs.push_back(
        {.name = "scene_status", .access = Access::scatter, .elements = status_words, .role = PortRole::other});
    const std::size_t commands = kernel.outputs.size();
    const std::size_t command_parameters = kernel.parameters.size();
    declare_commands(kernel, results.commands);
    NumberPorts ports;
    if (results.writes_sort_numbers) ports = declare_numbers(kernel);
    return
        [results, status, commands, command_parameters, ports](CpuInvocation& k, std::uint32_t visible, bool clamped) {
            const std::array<std::uint32_t, status_words> words{visible, clamped ? 1u : 0u, 0, 0};
            for (std::uint32_t i = 0; i < words.size(); ++i)
                k.scatter(status, i, {words[i]});
            write_commands(k, results.commands, visible, commands, command_parameters);
            if (results.writes_sort_numbers) write_numbers(k, ports, visible);
        };
}

}  // namespace glsort::scene
