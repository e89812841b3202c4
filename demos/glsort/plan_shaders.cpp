#include "plan_shaders.h"

#include <fmt/format.h>

#include <glsort/exec/program_shaders.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <system_error>

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

void write_text(const std::filesystem::path& path, const std::string& text) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    bool written = file != nullptr;
    written = written && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    const int error = errno;
    const bool closed = file == nullptr || std::fclose(file) == 0;
    if (!written || !closed)
        throw std::runtime_error(
            fmt::format("cannot write {}: {}", path.string(), std::strerror(written ? errno : error)));
}

}  // namespace

std::string write_shaders(const StreamProgram& program, const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw std::runtime_error(fmt::format("cannot make {}: {}", folder.string(), error.message()));
    std::string paths;
    int number = 0;
    for (const ProgramShader& shader : program_shaders(program, false)) {
        const auto path = folder / fmt::format("{:02}-{}.{}", number++, shader.kernel, extension_of(shader.stage));
        write_text(path, shader.text);
        paths += path.string() + "\n";
    }
    return paths;
}

}  // namespace glsort::demo
