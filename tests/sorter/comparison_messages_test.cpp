#include "sorter/between_calls.h"

namespace glsort::test {
namespace {

using Catch::Contains;

/// The error of a sorter for this GLSL, with keys of `key_bytes` bytes.
std::string refusal_of_glsl(TestContext& context, const Place& place, const std::string& algorithm,
                            const std::string& glsl, std::uint32_t key_bytes = 8) {
    SortSpec spec = small_spec(place.backend);
    spec.algorithm = algorithm;
    spec.order.comparison = comparison_of(key_bytes);
    spec.order.comparison->name = "by depth";
    spec.order.comparison->glsl = glsl;
    const std::string message = error_of([&] { Sorter(spec, context.get_proc_address()); });
    CHECK(context.driver().GetError() == GL_NO_ERROR);
    context.clear();
    return message;
}

TEST_CASE("what is wrong with a comparison's GLSL is told by its name and line", "[sorter]") {
    struct Case {
        const char* glsl;
        const char* place;  ///< Its first lines are right.
        const char* word;
    };
    constexpr const char* declaration = "bool comes_before(uvec2 a, uvec2 b)";
    for (const Place& place : all_places()) {
        TestContext& context = clean_context(place.tier);
        for (const Case& c :
             {Case{"// Nearer ones first.\nbool comes_before(uvec2 a, uvec2 b) {\n "
                   "   return a.x < depth_of_b;\n}\n",
                   "by depth:3: ", "depth_of_b"},
              // A brace is missing, so the text ends too early.
              Case{"// Nearer ones first.\nbool comes_before(uvec2 a, uvec2 b) {\n "
                   "   return a.x < b.x;\n",
                   "by depth:4: ", "syntax error"},
              Case{"// Nearer ones first.\nint comes_before(uvec2 a, uvec2 b) { "
                   "return a.x < b.x ? 1 : 0; }\n",
                   "by depth:2: ", "comes_before"},
              Case{"bool comes_before(uvec3 a, uvec3 b) { return a.x < b.x; }\n", "by depth", "comes_before"},
              Case{"bool precedes_it(uvec2 a, uvec2 b) { return a.x < b.x; }\n", "by depth", "comes_before"}}) {
            const std::string message =
                refusal_of_glsl(context, place, place.backend == Backend::compute ? "merge:shared" : "bitonic", c.glsl);
            INFO(describe(place) << ": " << c.glsl << message);
            CHECK_THAT(message,
                       Contains("Sorter::Sorter: ") && Contains("comparison by depth") && Contains(declaration));
            // At the end of the text, some compilers name no line.
            const char* place_found = message.find("<EOF>") == std::string::npos ? c.place : "by depth";
            CHECK_THAT(message, Contains(place_found) && Contains(c.word));
            CHECK_THAT(message, !Contains("shaders/"));
        }
        context.require_clean("wrong comparisons");
    }
}

/// GLSL that orders keys by a helper, with the given names.
std::string glsl_with(const std::string& helper, const std::string& local, const std::string& key = "uvec2") {
    return fmt::format(
        "uint {0}({2} k) {{ return k{3} * 3u; }}\n"
        "bool comes_before({2} a, {2} b) {{\n"
        "    uint {1} = {0}(a);\n"
        "    return {1} < {0}(b);\n"
        "}}\n",
        helper, local, key, key == "uint" ? "" : ".x");
}

/// The algorithm whose shaders use most names.
std::string merge_of(const Place& place) {
    return place.backend == Backend::compute ? "merge:shared" : "merge";
}

TEST_CASE("a comparison's names are its own: locals", "[sorter]") {
    const std::string name =
        GENERATE("SIDE", "RUNS", "WINDOW", "ELEMENTS", "LANE", "Record", "Key", "Index", "op_count", "GROUP_SIZE", "C");
    for (const Place& place : all_places()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place) << ": " << name);
        CHECK(refusal_of_glsl(context, place, merge_of(place), glsl_with("my_depth", name)) == "(nothing thrown)");
    }
}

TEST_CASE("a comparison's names are its own: functions", "[sorter]") {
    const std::string name = GENERATE("load", "key", "count", "store", "kernel", "precedes", "compare", "tile_load",
                                      "source_gather", "group_of", "element", "LANE");
    for (const Place& place : all_places()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place) << ": " << name);
        CHECK(refusal_of_glsl(context, place, merge_of(place), glsl_with(name, "my_local", "uint"), 4) ==
              "(nothing thrown)");
    }
}

TEST_CASE("a comparison's names are its own: macros, types and constants", "[sorter]") {
    const std::string name = GENERATE("RUNS", "element", "record", "place", "Record", "Node", "k", "TILE", "NONE");
    for (const Place& place : all_places()) {
        TestContext& context = clean_context(place.tier);
        for (const std::string& glsl :
             {"#define " + name + " 3u\nbool comes_before(uint a, uint b) { return a * " + name + " < b * 3u; }\n",
              "#define " + name + "(x) ((x) * 3u)\nbool comes_before(uint a, uint b) { return " + name +
                  "(a) < b * 3u; }\n",
              "const uint " + name + " = 3u;\nbool comes_before(uint a, uint b) { return a * " + name +
                  " < b * 3u; }\n",
              "struct " + name + " { uint three; };\nbool comes_before(uint a, uint b) { return a * " + name +
                  "(3u).three < b * 3u; }\n"}) {
            INFO(describe(place) << ": " << glsl);
            CHECK(refusal_of_glsl(context, place, merge_of(place), glsl, 4) == "(nothing thrown)");
        }
    }
}

TEST_CASE("names with a prefix of their own compile", "[sorter]") {
    for (const Place& place : all_places()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        CHECK(refusal_of_glsl(context, place, "bitonic", glsl_with("my_depth", "my_local")) == "(nothing thrown)");
    }
}

}  // namespace
}  // namespace glsort::test
