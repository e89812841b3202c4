#include <glsort/plan/scene/scene_command.h>
#include <glsort/stream/cpu_invocation.h>

#include <memory>
#include <utility>

namespace glsort::scene {
namespace {

enum : std::size_t { place_parameter, counted_parameter, first_word_parameter };

}  // namespace

KernelPtr command_kernel() {
    Kernel kernel;
    kernel.name = "scene_command";
    kernel.inputs = {{.name = "visible", .access = Access::gather, .role = PortRole::other}};
    kernel.outputs = {{.name = "command", .role = PortRole::other}};
    kernel.parameters = {{"place"}, {"counted"}, {"word_0"}, {"word_1"}, {"word_2"}, {"word_3"}, {"word_4"}};
    kernel.defines = {{"GLSORT_FIRST_WORD", literal(first_word_parameter)}};
    kernel.cpu = [](CpuInvocation& k) {
        std::uint32_t word = k.parameter(first_word_parameter + k.instance);
        if (k.instance == k.parameter(counted_parameter)) word *= k.read(0, k.parameter(place_parameter))[0];
        k.write(0, 0, {word});
    };
    return std::make_shared<Kernel>(std::move(kernel));
}

std::vector<Counted> parameters_of(const SceneCommand& command, std::uint32_t place) {
    const bool arrays = command.kind == SceneCommand::Kind::arrays;
    const auto base_vertex = static_cast<std::uint32_t>(command.base_vertex);
    return {place,
            command.instanced ? 1u : 0u,
            command.per_item,
            1u,
            command.first,
            arrays ? command.base_instance : base_vertex,
            arrays ? 0u : command.base_instance};
}

}  // namespace glsort::scene
