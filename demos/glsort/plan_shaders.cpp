#include "plan_shaders.h"

#include <fmt/format.h>

#include <glsort/exec/program_shaders.h>

#include <stdexcept>
#include <system_error>

#include "support/output_file.h"

namespace glsort::demo {
namespace {

const char* extension_of(ShaderStage stage) {
    switch (stage) {
        case ShaderStage::fragment:
            return "frag";
        case ShaderStage::vertex:
            return "vert";
        case ShaderStage::compute:
            break;
    }
    return "comp";
}

std::string name_of(const ProgramShader& shader, int number) {
    return fmt::format("{:02}-{}.{}", number, shader.kernel, extension_of(shader.stage));
}

}  // namespace

std::string write_shaders(const StreamProgram& program, const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw std::runtime_error(fmt::format("cannot make {}: {}", folder.string(), error.message()));
    std::string paths;
    int number = 0;
    for (const ProgramShader& shader : program_shaders(program, false)) {
        const auto path = folder / name_of(shader, number++);
        write_file(path, shader.text);
        paths += path.string() + "\n";
    }
    return paths;
}

std::string shaders_to_text(const StreamProgram& program) {
    std::string text;
    int number = 0;
    for (const ProgramShader& shader : program_shaders(program, false))
        text += fmt::format("// {}\n{}\n", name_of(shader, number++), shader.text);
    return text;
}

}  // namespace glsort::demo
