#include <string>

#include <catch2/catch.hpp>

#include "programs/process.h"
#include "support/paths.h"

namespace glsort::test {
namespace {

TEST_CASE("the page about state has the table that info prints", "[programs]") {
    const Result info = run_program(paths::program(GLSORT_CLI_PATH), {"info", "--state"});
    REQUIRE(info.code == 0);
    const std::string page = read_text(paths::source("docs/state.md"));
    INFO("docs/state.md: put the output of glsort info --state between the marks");
    const std::string marked = "<!-- made by glsort info --state -->\n" + info.out + "<!-- end -->\n";
    CHECK(page.find(marked) != std::string::npos);
    const Result json = run_program(paths::program(GLSORT_CLI_PATH), {"info", "--state", "--format", "json"});
    CHECK(json.code == 0);
    CHECK(json.out.find("GL_CLIP_ORIGIN") != std::string::npos);
}

}  // namespace
}  // namespace glsort::test
