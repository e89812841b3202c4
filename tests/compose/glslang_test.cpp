#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <glsort/exec/fragment_count_texture.h>
#include <glsort/exec/gpu_count.h>
#include <glsort/gl/subgroups.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "compose/corpus.h"

/// Compiles the shaders of all algorithms by the reference compiler, independently of a driver.

namespace glsort::test {
namespace {

/// Runs a command. Returns the exit code and the output.
std::pair<int, std::string> run(const std::string& command) {
    std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string output;
    char buffer[4096];
    while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe))
        output.append(buffer, size);
    const int status = pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

/// A hash of a shader. Shaders that differ only in counts, sizes or places, which are numbers such as `128u`, have one
/// hash.
std::size_t hash_of(const std::string& text) {
    std::string rest;
    rest.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t end = text.find_first_not_of("0123456789", i);
        const bool number = end > i && end < text.size() && text[end] == 'u' && (rest.empty() || rest.back() != '_');
        if (number) i = end;
        rest += number ? '0' : text[i];
    }
    return std::hash<std::string>()(rest);
}

/// Whether a shader writes images of two words. OpenGL ES 3.1 has none. Drivers that have such images accept the
/// shader.
bool has_image_of_pairs(const std::string& text) {
    return text.find("layout(rg32ui") != std::string::npos;
}

/// Collects shaders in files. One call of glslangValidator checks many files.
class Judge {
  public:
    Judge() {
        std::string name = (std::filesystem::temp_directory_path() / "glsort-glslang-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
    }
    ~Judge() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Judge(const Judge&) = delete;
    Judge& operator=(const Judge&) = delete;

    /// Adds all stages of a program that runs `op`.
    void add(const Op& op, const ShaderRequest& request) {
        const gl::ProgramSource program = program_source(request, compose_shader(request));
        for (const gl::ProgramSource::Stage& stage : program.stages) {
            std::string text = stage.source.text();
            const std::string version = text.substr(0, text.find('\n'));
            if (op.kernel->subgroups == Subgroups::ballot) {
                // Software rasterisers have these extensions in lower versions, and not in OpenGL ES.
                if (request.es) return;
                text = "#version 450 core" + text.substr(version.size());
            }
            if (request.es && has_image_of_pairs(text)) return;
            versions_.insert(version);
            add(op.kernel->name, stage.kind, text);
        }
    }
    void add(const std::string& name, GLenum kind, const std::string& text) {
        if (!texts_.insert(std::hash<std::string>()(text)).second || !known_.insert(hash_of(text)).second) return;
        const char* extension = kind == GL_COMPUTE_SHADER ? "comp" : kind == GL_VERTEX_SHADER ? "vert" : "frag";
        const std::string path = fmt::format("{}/{}-{}.{}", folder_, known_.size(), name, extension);
        std::ofstream(path) << text;
        paths_.push_back(path);
        if (paths_.size() == 500) judge();
    }
    void judge() {
        std::string command = "glslangValidator";
        for (const std::string& path : paths_)
            command += " " + path;
        const auto [code, output] = run(command);
        std::string errors;
        if (code != 0) {
            errors = output.substr(0, output.find("ERROR: "));
            errors = errors.substr(errors.rfind('/', errors.size()) + 1) + output.substr(errors.size(), 2000);
        }
        INFO(errors);
        CHECK(errors.empty());
        for (const std::string& path : paths_)
            std::filesystem::remove(path);
        paths_.clear();
    }
    std::size_t judged() const { return known_.size(); }
    /// The `#version` lines of all programs.
    const std::set<std::string>& versions() const { return versions_; }

  private:
    std::string folder_;
    std::vector<std::string> paths_;
    std::set<std::size_t> texts_, known_;
    std::set<std::string> versions_;
};

/// Fails without the reference compiler, because no shader would be judged.
void require_compiler() {
    INFO("glslangValidator is needed: Debian's package glslang-tools (scripts/install-deps)");
    REQUIRE(run("glslangValidator --version").first == 0);
}

/// Adds the shaders of a program for both kinds of OpenGL.
void add_all(Judge& judge, const StreamProgram& program, bool gpu_count = false) {
    for (const bool es : {false, true})
        for_each_shader_request(program, es, [&](const Op& op, ShaderRequest request) {
            request.gpu_count = gpu_count;
            request.capacity = program.n;
            judge.add(op, request);
        });
}

TEST_CASE("the reference compiler takes every variant's shaders, for each version of GLSL", "[compose][rules][slow]") {
    require_compiler();
    Judge judge;
    for_each_corpus_program([&](const StreamProgram& program) { add_all(judge, program); });
    judge.judge();
    CHECK(judge.versions() ==
          std::set<std::string>{"#version 300 es", "#version 310 es", "#version 330 core", "#version 430 core"});
    CHECK(judge.judged() > 2000);
}

TEST_CASE("the reference compiler takes shaders whose count only the GPU knows", "[compose][rules][slow]") {
    require_compiler();
    Judge judge;
    std::size_t programs = 0;
    for_each_corpus_counted_program([&](const StreamProgram& program) {
        ++programs;
        add_all(judge, program, true);
    });
    CHECK(programs > 50);
    const auto add = [&judge](const char* name, const gl::ProgramSource& program) {
        for (const gl::ProgramSource::Stage& stage : program.stages)
            judge.add(name, stage.kind, stage.source.text());
    };
    for (const bool es : {false, true}) {
        add("status", CountTexture::source(es));
        for (const Medium medium : {Medium::buffer, Medium::texture})
            add("numbers", GpuCount::source(es, medium));
    }
    judge.judge();
    CHECK(judge.versions() ==
          std::set<std::string>{"#version 300 es", "#version 310 es", "#version 330 core", "#version 430 core"});
}

TEST_CASE("the reference compiler takes the shader that probes subgroups", "[compose][rules]") {
    require_compiler();
    Judge judge;
    for (const bool es : {false, true})
        judge.add("khr", GL_COMPUTE_SHADER, gl::SubgroupProbing::source(es, Subgroups::khr).text());
    // Software rasterisers have this extension in a lower version, too.
    std::string text = gl::SubgroupProbing::source(false, Subgroups::ballot).text();
    text = "#version 450 core" + text.substr(text.find('\n'));
    judge.add("ballot", GL_COMPUTE_SHADER, text);
    judge.judge();
    CHECK(judge.judged() == 3);
}

TEST_CASE("the reference compiler takes the shaders of scenes", "[compose][rules]") {
    require_compiler();
    Judge judge;
    for_each_corpus_scene([&](const StreamProgram& program) { add_all(judge, program); });
    judge.judge();
    CHECK(judge.judged() > 50);
}

TEST_CASE("the reference compiler's verdict counts", "[compose][rules]") {
    require_compiler();
    const std::string path =
        fmt::format("{}/glsort-wrong-{}.frag", std::filesystem::temp_directory_path().string(), getpid());
    std::ofstream(path) << "#version 330 core\nvoid main() { int wrong = 1u; }\n";
    CHECK(run("glslangValidator " + path).first != 0);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace glsort::test
