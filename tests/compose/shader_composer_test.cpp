#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <regex>
#include <set>
#include <string>

#include "compose/corpus.h"

namespace glsort::test {
namespace {

using Catch::Contains;

StreamProgram program_of(const std::string& algorithm, Backend backend, const std::string& comparison = "") {
    PlanRequest request;
    request.spec.algorithm = algorithm;
    request.spec.backend = backend;
    request.n = 5000;
    if (!comparison.empty()) {
        request.spec.order.comparison = corpus_comparison(false);
        request.spec.order.comparison->glsl = comparison;
    }
    return plan(request);
}

TEST_CASE("the caller's comparison comes before all of ours, and its macros end with it", "[compose]") {
    const std::string comparison =
        "#define element 3u\n  # define SIDE(x) ((x) * element)\nbool comes_before(uint a, uint b) { return SIDE(a) < "
        "b; }\n";
    for (const Backend backend : {Backend::fragment, Backend::compute})
        for (const bool es : {false, true})
            for_each_shader_request(
                program_of("merge", backend, comparison), es, [&](const Op& op, const ShaderRequest& r) {
                    if (op.kernel->prelude.text.empty()) return;
                    CAPTURE(op.kernel->name, es);
                    const std::string text = compose_shader(r).source.text();
                    const std::size_t begin = text.find(comparison);
                    REQUIRE(begin != text.npos);
                    // Only the version, the precision and places may come before the comparison.
                    static const std::regex head(
                        R"((#version [^\n]*\n|#line [^\n]*\n|precision [^\n]*\n|#extension [^\n]*\n|\n)*)");
                    CHECK(std::regex_match(text.substr(0, begin), head));
                    const std::string rest = text.substr(begin + comparison.size());
                    CHECK(rest.find("#undef element\n#undef SIDE\n") < rest.find("GLSORT_"));
                    CHECK(rest.find("#undef element\n#undef SIDE\n") < rest.find("glsort_"));
                });
}

TEST_CASE("nothing of the caller's comparison reaches into the library's text", "[compose]") {
    const std::string body = "bool comes_before(uint a, uint b) { return a < b; }";
    for (const auto& given :
         {std::pair<std::string, std::string>{body + " // \\", "\n\n#line "},
          {body + "\rprecision mediump int;\r # /* x */ def\\\nine /* y */ SIDE 1u", "#undef SIDE\n"},
          {body + "\n\f#define \\\r\nRUNS 1u\n/*\n#define no_macro\n*/", "#undef RUNS\nprecision highp "},
          {body + "\n// one line or two \\\n#define PLACE 1\n", "#undef PLACE\n"},
          {body + "\nlowp", "\nprecision highp float;\n"}})
        for (const Backend backend : {Backend::fragment, Backend::compute})
            for (const bool es : {false, true}) {
                const std::string& text = given.first;
                const std::string& end = given.second;
                const StreamProgram program = program_of("merge", backend, text);
                for_each_shader_request(program, es, [&](const Op& op, const ShaderRequest& r) {
                    if (op.kernel->prelude.text.empty()) return;
                    const std::string whole = compose_shader(r).source.text();
                    const std::string rest = whole.substr(whole.find(text) + text.size());
                    CAPTURE(text, es, rest.substr(0, 200));
                    CHECK(rest.substr(0, rest.find("glsort_")).find(end) != std::string::npos);
                    CHECK((!es || rest.find("precision highp int;\n") != std::string::npos));
                });
            }
}

/// Names at global scope of a shader, outside of parentheses and brackets.
std::set<std::string> global_names(std::string text) {
    text = std::regex_replace(text, std::regex("//[^\n]*"), "");
    std::set<std::string> names;
    static const std::regex directive("(?:^|\n)#define (\\w+)[^\n]*");
    for (std::sregex_iterator i(text.begin(), text.end(), directive), end; i != end; ++i)
        names.insert((*i)[1].str());
    text = std::regex_replace(text, std::regex("\\\\\n"), " ");
    text = std::regex_replace(text, std::regex("(^|\n)#[^\n]*"), "\n");
    int depth = 0;
    std::string name;
    for (const char c : text) {
        if (c == '{' || c == '(' || c == '[') ++depth;
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
            if (depth == 0) name += c;
            continue;
        }
        if (!name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0) names.insert(name);
        name.clear();
        if (c == '}' || c == ')' || c == ']') --depth;
    }
    return names;
}

TEST_CASE("whole shaders have names of ours at global scope, and none of others", "[compose]") {
    const std::set<std::string> words = {
        "uint", "int",   "bool",      "void",     "uvec2",    "uvec3",  "uvec4",      "const",           "shared",
        "flat", "in",    "out",       "uniform",  "struct",   "buffer", "layout",     "readonly",        "writeonly",
        "main", "highp", "precision", "coherent", "volatile", "float",  "usampler2D", "usampler2DArray", "uimage2D"};
    std::size_t shaders = 0;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            for (const Backend backend : {Backend::fragment, Backend::compute}) {
                StreamProgram program;
                try {
                    program = program_of(algorithm.name + ":" + variant.name, backend);
                } catch (const Error&) {
                    continue;  // The program cannot run there.
                }
                for_each_shader_request(program, false, [&](const Op& op, const ShaderRequest& request) {
                    ++shaders;
                    for (const std::string& name : global_names(compose_shader(request).source.text())) {
                        CAPTURE(op.kernel->name, name);
                        CHECK((name.starts_with("glsort_") || name.starts_with("GLSORT_") || words.contains(name)));
                    }
                });
            }
    CHECK(shaders > 50);
}

TEST_CASE("a kernel that supplies too much or too little is told by file and name", "[compose]") {
    StreamProgram program = program_of("bitonic:step", Backend::fragment);
    const auto error_with = [&program](auto change) {
        Op op = program.ops.at(1);
        auto kernel = std::make_shared<Kernel>(*op.kernel);
        change(*kernel);
        op.kernel = kernel;
        program.ops.at(1) = op;
        try {
            program_shaders(program, false);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto original = program.ops.at(1).kernel;
    CHECK(error_with([](Kernel&) {}).empty());
    CHECK_THAT(
        error_with([](Kernel& kernel) { kernel.defines.emplace_back("GLSORT_OTHER", "1"); }),
        Contains("bitonic_step") && Contains("macro GLSORT_OTHER") && Contains("shaders/networks/network_step.glsl"));
    program.ops.at(1).kernel = original;
    CHECK_THAT(error_with([](Kernel& kernel) {
                   std::erase_if(kernel.defines, [](const auto& define) { return define.first == "GLSORT_KEY_WORDS"; });
               }),
               Contains("shaders/lib/") && Contains("macro GLSORT_KEY_WORDS") && Contains("bitonic_step"));
    program.ops.at(1).kernel = original;
    CHECK_THAT(error_with([](Kernel& kernel) { kernel.body = "no_such_file"; }), Contains("no_such_file.glsl"));
}

TEST_CASE("the shaders of a program are distinct, and have the version of its backend", "[compose]") {
    const StreamProgram program = program_of("bitonic:step", Backend::fragment);
    const std::vector<ProgramShader> shaders = program_shaders(program, false);
    CHECK(shaders.size() > 1);
    CHECK(shaders.size() < program.ops.size());
    std::set<std::string> texts;
    for (const ProgramShader& shader : shaders) {
        CHECK(shader.text.starts_with("#version 330 core\n"));
        CHECK(texts.insert(shader.text).second);
    }
    CHECK(program_shaders(program, true).front().text.starts_with("#version 300 es\n"));
    const StreamProgram compute = program_of("merge", Backend::compute);
    CHECK(program_shaders(compute, false).front().text.starts_with("#version 430 core\n"));
    CHECK(program_shaders(compute, true).front().text.starts_with("#version 310 es\n"));
    CHECK(program_shaders(compute, true).front().stage == ShaderStage::compute);
    CHECK_THROWS_AS(program_shaders(program_of("merge", Backend::cpu), false), Error);
}

TEST_CASE("ops of few and of more blocks share a shader, up to what their kernel says", "[compose]") {
    Kernel kernel;
    Op op;
    op.domain = Substream(std::vector<Block>{{0, 1}, {2, 3}, {4, 5}});
    op.kernel = std::make_shared<Kernel>(kernel);
    CHECK(block_capacity(op) == 4);
    kernel.usual_blocks = 16;
    op.kernel = std::make_shared<Kernel>(kernel);
    CHECK(block_capacity(op) == 16);
    op.domain = Substream::range(0, 9);
    CHECK(block_capacity(op) == 1);
}

}  // namespace
}  // namespace glsort::test
