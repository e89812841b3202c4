#include <fmt/format.h>

#include <glsort/plan/scene/scene_command.h>
#include <glsort/stream/cpu_invocation.h>

#include <memory>
#include <string>
#include <utility>

namespace glsort::scene {
namespace {

enum : std::size_t { place_parameter, counted_parameter, first_word_parameter };

/// Parameters of each command.
constexpr std::uint32_t command_parameters = 6;

std::uint32_t words_of(const SceneCommand& command) {
    return command_bytes(command.kind) / 4;
}

}  // namespace

KernelPtr command_kernel(bool of_sums) {
    Kernel kernel;
    kernel.name = "scene_command";
    kernel.inputs = {
        {.name = "visible", .access = Access::gather, .words = of_sums ? 4u : 1u, .role = PortRole::other}};
    kernel.outputs = {{.name = "command", .role = PortRole::other}};
    kernel.parameters = {{"place"}, {"counted"}, {"word_0"}, {"word_1"}, {"word_2"}, {"word_3"}, {"word_4"}};
    kernel.defines = {{"GLSORT_FIRST_WORD", literal(first_word_parameter)}};
    if (of_sums) kernel.defines.emplace_back("GLSORT_OF_SUMS", "1");
    kernel.cpu = [](CpuInvocation& k) {
        std::uint32_t word = k.parameter(first_word_parameter + k.instance);
        const Element visible = k.read(0, k.parameter(place_parameter));
        if (k.instance == k.parameter(counted_parameter)) word *= visible[0] + visible[1] + visible[2] + visible[3];
        k.write(0, 0, {word});
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

std::vector<std::uint32_t> parameters_of(const SceneCommand& command) {
    const bool arrays = command.kind == SceneCommand::Kind::arrays;
    const auto base_vertex = static_cast<std::uint32_t>(command.base_vertex);
    return {command.instanced ? 1u : 0u,
            command.per_item,
            1u,
            command.first,
            arrays ? command.base_instance : base_vertex,
            arrays ? 0u : command.base_instance};
}

void declare_commands(Kernel& kernel, const std::vector<SceneCommand>& commands) {
    if (commands.empty()) return;
    kernel.defines.emplace_back("GLSORT_COMMANDS", literal(static_cast<std::uint32_t>(commands.size())));
    kernel.defines.emplace_back("GLSORT_COMMAND_PARAMETERS", literal(command_parameters));
    kernel.defines.emplace_back("GLSORT_FIRST_COMMAND", literal(static_cast<std::uint32_t>(kernel.parameters.size())));
    kernel.source += "void glsort_put_command(uint command, uint place, uint word) {\n";
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const std::string name = fmt::format("command_{}", i);
        kernel.outputs.push_back(
            {.name = name, .access = Access::scatter, .elements = words_of(commands[i]), .role = PortRole::other});
        kernel.parameters.push_back({name + "_counted"});
        for (std::size_t word = 0; word + 1 < command_parameters; ++word)
            kernel.parameters.push_back({fmt::format("{}_word_{}", name, word)});
        kernel.source += fmt::format("    if (command == {}u && place < {}u) glsort_{}_scatter(place, word);\n", i,
                                     words_of(commands[i]), name);
    }
    kernel.source += "}\n";
}

void write_commands(CpuInvocation& k, const std::vector<SceneCommand>& commands, std::uint32_t visible,
                    std::size_t first_output, std::size_t first_parameter) {
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const std::size_t counted = first_parameter + command_parameters * i;
        for (std::uint32_t word = 0; word < words_of(commands[i]); ++word)
            k.scatter(first_output + i, word,
                      {k.parameter(counted + 1 + word) * (word == k.parameter(counted) ? visible : 1)});
    }
}

}  // namespace glsort::scene
