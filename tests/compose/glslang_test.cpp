#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
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

    void add(const std::string& name, ShaderStage stage, const std::string& text) {
        if (!texts_.insert(std::hash<std::string>()(text)).second || !known_.insert(hash_of(text)).second) return;
        const char* extension = stage == ShaderStage::compute ? "comp" : stage == ShaderStage::vertex ? "vert" : "frag";
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

  private:
    std::string folder_;
    std::vector<std::string> paths_;
    std::set<std::size_t> texts_, known_;
};

TEST_CASE("the reference compiler takes every variant's shaders, for each version of GLSL", "[compose][rules][slow]") {
    if (run("glslangValidator --version").first != 0) {
        WARN("skipped: there is no glslangValidator (scripts/install-deps)");
        return;
    }
    Judge judge;
    std::set<std::string> versions;
    for_each_corpus_program([&](const StreamProgram& program) {
        for (const bool es : {false, true})
            for_each_shader_request(program, es, [&](const Op& op, const ShaderRequest& request) {
                std::string text = compose_shader(request).source.text();
                const std::string version = text.substr(0, text.find('\n'));
                if (op.kernel->subgroups == Subgroups::ballot) {
                    // Software rasterisers have these extensions in lower versions, and not in OpenGL ES.
                    if (es) return;
                    text = "#version 450 core" + text.substr(version.size());
                }
                if (es && has_image_of_pairs(text)) return;
                versions.insert(version);
                judge.add(op.kernel->name, request.stage, text);
            });
    });
    judge.judge();
    CHECK(versions ==
          std::set<std::string>{"#version 300 es", "#version 310 es", "#version 330 core", "#version 430 core"});
    CHECK(judge.judged() > 2000);
}

TEST_CASE("the reference compiler takes the shaders of scenes", "[compose][rules]") {
    if (run("glslangValidator --version").first != 0) {
        WARN("skipped: there is no glslangValidator (scripts/install-deps)");
        return;
    }
    Judge judge;
    for_each_corpus_scene([&](const StreamProgram& program) {
        for (const bool es : {false, true})
            for_each_shader_request(program, es, [&](const Op& op, const ShaderRequest& request) {
                const std::string text = compose_shader(request).source.text();
                if (!es || !has_image_of_pairs(text)) judge.add(op.kernel->name, request.stage, text);
            });
    });
    judge.judge();
    CHECK(judge.judged() > 50);
}

TEST_CASE("the reference compiler's verdict counts", "[compose][rules]") {
    if (run("glslangValidator --version").first != 0) {
        WARN("skipped: there is no glslangValidator (scripts/install-deps)");
        return;
    }
    const std::string path =
        fmt::format("{}/glsort-wrong-{}.frag", std::filesystem::temp_directory_path().string(), getpid());
    std::ofstream(path) << "#version 330 core\nvoid main() { int wrong = 1u; }\n";
    CHECK(run("glslangValidator " + path).first != 0);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace glsort::test
