#include <glsort/error.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/exec/program_shaders.h>

#include <algorithm>
#include <utility>

namespace glsort {

ShaderStage stage_of(const StreamProgram& program, const Op& op) {
    if (program.backend == Backend::compute) return ShaderStage::compute;
    const bool captured = program.streams[op.writes.front().stream].medium == Medium::buffer;
    return captured ? ShaderStage::vertex : ShaderStage::fragment;
}

std::vector<ProgramShader> program_shaders(const StreamProgram& program, bool es) {
    if (program.backend != Backend::fragment && program.backend != Backend::compute)
        throw Error("program_shaders: a program of the cpu backend has no shaders");
    std::vector<ForeignStream> foreign(program.streams.size());
    for (std::size_t id = 0; id < foreign.size(); ++id) {
        foreign[id].texture.layout = program.streams[id].layout.kind;
        foreign[id].texture.width = program.streams[id].layout.width;
    }
    std::vector<ProgramShader> shaders;
    for (const Op& op : program.ops) {
        if (op.kernel->transfer) continue;
        const ShaderStage stage = stage_of(program, op);
        std::string text = compose_shader(shader_request(program, op, stage, es, foreign)).source.text();
        const bool known = std::any_of(shaders.begin(), shaders.end(),
                                       [&](const ProgramShader& shader) { return shader.text == text; });
        if (!known) shaders.push_back({op.kernel->name, stage, std::move(text)});
    }
    return shaders;
}

}  // namespace glsort
