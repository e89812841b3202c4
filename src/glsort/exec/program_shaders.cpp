#include <glsort/error.h>
#include <glsort/exec/gl_executor.h>
#include <glsort/exec/program_shaders.h>

#include <algorithm>
#include <utility>

namespace glsort {

std::vector<ProgramShader> program_shaders(const StreamProgram& program, bool es) {
    if (program.backend != Backend::fragment && program.backend != Backend::compute)
        throw Error("program_shaders: a program of the cpu backend has no shaders");
    ExternalStreams external;
    external.follow(program);
    std::vector<ProgramShader> shaders;
    for (const Op& op : program.ops) {
        if (op.kernel->transfer) continue;
        const ShaderStage stage = stage_of(program, op);
        std::string text = compose_shader(shader_request(program, op, stage, es, external)).source.text();
        const bool known = std::any_of(shaders.begin(), shaders.end(),
                                       [&](const ProgramShader& shader) { return shader.text == text; });
        if (!known) shaders.push_back({op.kernel->name, stage, std::move(text)});
    }
    return shaders;
}

}  // namespace glsort
