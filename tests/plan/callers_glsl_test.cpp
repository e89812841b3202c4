#include <glsort/error.h>
#include <glsort/planner.h>

#include <catch2/catch.hpp>
#include <string>

namespace glsort::test {
namespace {

/// The error of a plan for a comparison with this text, on both backends of the GPU.
std::string refusal_of(const std::string& text) {
    std::string message;
    for (const Backend backend : {Backend::fragment, Backend::compute}) {
        PlanRequest request{.spec = {.backend = backend}, .n = 4};
        request.spec.order.comparison = Comparison{.name = "by depth", .key_bytes = 4, .glsl = text};
        try {
            plan(request);
            message = "(nothing thrown)";
        } catch (const Error& error) {
            message = error.what();
        }
    }
    return message;
}

const std::string body = "bool comes_before(uint a, uint b) { return a < b; }\n";

TEST_CASE("a comparison's text that would change the library's is refused by its name and line", "[plan]") {
    const std::string name = "plan: comparison by depth:";
    CHECK(refusal_of(body + "/* open\n\n") == name + "2: a comment that does not end");
    CHECK(refusal_of(body + "/*/") == name + "2: a comment that does not end");
    CHECK(refusal_of("#if 0\n" + body) == name + "1: a condition without #endif");
    CHECK(refusal_of(body + "#ifdef A\n#endif\n # ifndef B // #endif\n") == name + "4: a condition without #endif");
    CHECK(refusal_of(body + "\r\n#endif\r\n#if 1\r\n") == name + "3: #endif without a condition before it");
    CHECK(refusal_of("#line 7\n" + body) == name + "1: #line is the library's alone");
    CHECK(refusal_of(body + "/* */ # \\\n version 450\n") == name + "2: #version is the library's alone");
    CHECK(refusal_of(body + "uint glsort_own;\n") == name + "2: glsort_own is a name of the library's");
    CHECK(refusal_of("#define GLSORT_X 1\n" + body) == name + "1: GLSORT_X is a name of the library's");
    CHECK(refusal_of(body + "\nvoid main() {}\n") == name + "3: main is a name of the library's");
    CHECK(refusal_of(body + std::string(1, '\0')) == name + " byte " + std::to_string(body.size()) + " is zero");
}

TEST_CASE("a comparison's text may hold all that ends in itself", "[plan]") {
    for (const std::string text :
         {"#if 1 // /*\n#else\n/* #if */\n#endif\n", "// glsort_ main \\\n main\n", "/* main \n #line 3 */\n",
          "#define X \\\n 1\n", "/**/", "//", "#define mainly 1\n", "uint a\\\nb;\n", "#\n"}) {
        CAPTURE(text);
        CHECK(refusal_of(text + body) == "(nothing thrown)");
    }
    CHECK(refusal_of(body + "// \\") == "(nothing thrown)");
}

}  // namespace
}  // namespace glsort::test
