#include <glsort/error.h>
#include <glsort/gl/api.h>
#include <glsort/gl/program.h>

#include "sorter/sorting.h"

namespace glsort::test {
namespace {

using Catch::Contains;

std::string message_of(const std::shared_ptr<const gl::Api>& api, const gl::ShaderSource& vertex,
                       const gl::ShaderSource& fragment) {
    try {
        gl::Program::graphics(api, vertex, fragment);
    } catch (const Error& error) {
        return error.what();
    }
    return "(nothing thrown)";
}

TEST_CASE("a shader that does not compile is reported with our file and line", "[sorter]") {
    for (const Tier tier : all_tiers()) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        const auto api = gl::load_api(context.get_proc_address());
        const std::string version = api->es ? "#version 300 es" : "#version 330 core";
        const gl::ShaderSource vertex{version, {{"shaders/v.glsl", "void main() { gl_Position = vec4(0.0); }\n"}}};
        const auto fragment = [&](const std::string& body) {
            return gl::ShaderSource{version,
                                    {{"definitions of test", "precision highp float;\n"},
                                     {"shaders/first.glsl", "float one() {\n    return 1.0;\n}\n"},
                                     {"shaders/second.glsl", body}}};
        };
        CAPTURE(tier_name(tier));
        const std::string good = "// A comment.\nout vec4 c;\n\nvoid main() { c = vec4(one()); }\n";
        CHECK(message_of(api, vertex, fragment(good)) == "(nothing thrown)");
        const std::string bad = "// A comment.\nout vec4 c;\n\nvoid main() { c = nowhere; }\n";
        CHECK_THAT(message_of(api, vertex, fragment(bad)), Contains("does not compile") && Contains(version) &&
                                                               Contains("shaders/second.glsl:4: ") &&
                                                               Contains("nowhere"));
        const std::string far(200, '\n');
        CHECK_THAT(message_of(api, vertex, fragment(far + bad)), Contains("shaders/second.glsl:204: "));
        // An error in the first part is not attributed to the last part.
        gl::ShaderSource early = fragment(good);
        early.parts[1].text = "float one() {\n    return two;\n}\n";
        CHECK_THAT(message_of(api, vertex, early),
                   Contains("shaders/first.glsl:2: ") && !Contains("shaders/second.glsl:2"));
        // A program whose shaders do not match does not link.
        gl::ShaderSource feeding = vertex;
        feeding.parts[0].text = "flat out uint fed;\nvoid main() { fed = 1u; gl_Position = vec4(0.0); }\n";
        const gl::ShaderSource fed = fragment("in vec4 fed;\nout vec4 c;\nvoid main() { c = fed; }\n");
        CHECK_THAT(message_of(api, feeding, fed),
                   Contains("shaders/second.glsl") && Contains("does not link") && Contains("fed"));
        CHECK(api->GetError() == GL_NO_ERROR);
        context.clear();
    }
}

TEST_CASE("a compute shader that does not compile is reported alike", "[sorter]") {
    for (const Tier tier : {Tier::gl45, Tier::es31}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        const auto api = gl::load_api(context.get_proc_address());
        const gl::ShaderSource source{api->es ? "#version 310 es" : "#version 430 core",
                                      {{"group", "layout(local_size_x = 1) in;\n"},
                                       {"shaders/broken.glsl", "void main() {\n    uint a = 1u;\n    a = b;\n}\n"}}};
        CHECK_THROWS_WITH(gl::Program::compute(api, source),
                          Contains("does not compile") && Contains("shaders/broken.glsl:3: "));
        CHECK(api->GetError() == GL_NO_ERROR);
        context.clear();
    }
}

TEST_CASE("places in a part of more than ten thousand lines are told", "[sorter]") {
    const gl::ShaderSource source{"#version 330 core",
                                  {{"long part", std::string(25000, '\n')}, {"next", "a\n"}, {"last", "b\n"}}};
    CHECK(source.text().find("#line 30001 1\na") != std::string::npos);
    CHECK(source.explain("0:20012(5): x") == "\n  long part:20012: x");
    CHECK(source.explain("1:30002(5): x") == "\n  next:2: x");
    CHECK(source.explain("0:40001(5): x") == "\n  last:1: x");
}

TEST_CASE("the logs of several drivers are explained", "[sorter]") {
    const gl::ShaderSource source{"#version 330 core", {{"first part", "a\n"}, {"shaders/body.glsl", "b\n"}}};
    const auto explained = [&](const char* line) { return source.explain(line); };
    // Mesa. Most of its messages say string 0, whatever #line says.
    CHECK(explained("1:10012(5): error: `x' undeclared") == "\n  shaders/body.glsl:12: error: `x' undeclared");
    CHECK(explained("0:10012(5): error: `x' undeclared") == "\n  shaders/body.glsl:12: error: `x' undeclared");
    CHECK(explained("0:1(10): preprocessor error: syntax error, unexpected '<'") ==
          "\n  first part:1: preprocessor error: syntax error, unexpected '<'");
    CHECK(explained("1:10007(3): error: (assignment)") == "\n  shaders/body.glsl:7: error: (assignment)");
    // NVIDIA.
    CHECK(explained("1(10012) : error C1503: undefined variable \"x\"") ==
          "\n  shaders/body.glsl:12: error C1503: undefined variable \"x\"");
    // ANGLE, AMD and Apple.
    CHECK(explained("ERROR: 1:10012: 'x' : undeclared identifier") ==
          "\n  shaders/body.glsl:12: 'x' : undeclared identifier");
    CHECK(explained("WARNING: 0:3: extension not supported") == "\n  first part:3: extension not supported");
    // A number at the start of the message itself is no column.
    CHECK(explained("ERROR: 1:10007: '2' : syntax error") == "\n  shaders/body.glsl:7: '2' : syntax error");
    CHECK(explained("ERROR: 1:10007: 4 components expected") == "\n  shaders/body.glsl:7: 4 components expected");
    // Lines without a place, or with an unknown part, do not change.
    for (const char* line :
         {"ERROR: too many errors", "2 compilation errors.  No code generated.", "0:20001(2): x", "1: error", "", "1",
          "1:", "1(", "ERROR:", "ERROR: 1:99999999999999999999: x", "0:0(0): x"})
        CHECK(explained(line) == (*line == '\0' ? "" : std::string("\n  ") + line));
    // Several errors, one per line.
    CHECK(explained("1:10001(1): error: a\n0:2(2): warning: b\n") ==
          "\n  shaders/body.glsl:1: error: a\n  first part:2: warning: b");
}

}  // namespace
}  // namespace glsort::test
