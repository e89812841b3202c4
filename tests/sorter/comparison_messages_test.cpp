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
    std::string message = error_of([&] { Sorter(spec, context.get_proc_address()); });
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
    for (const Place& place : places_in_turn()) {
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

/// GLSL that orders keys of `type` by functions of these names.
std::string glsl_with_functions(const std::vector<std::string>& names, const char* type) {
    const char* const word = std::string_view(type) == "uint" ? "" : ".x";
    std::string functions;
    std::string sum_of_a = "0u";
    std::string sum_of_b = "0u";
    for (const std::string& name : names) {
        functions += fmt::format("uint {}({} k) {{ return k{} * 3u; }}\n", name, type, word);
        sum_of_a += fmt::format(" + {}(a)", name);
        sum_of_b += fmt::format(" + {}(b)", name);
    }
    return fmt::format("{0}bool comes_before({1} a, {1} b) {{ return {2} < {3}; }}\n", functions, type, sum_of_a,
                       sum_of_b);
}

/// GLSL whose comparison has locals of these names.
std::string glsl_with_locals(const std::vector<std::string>& names) {
    std::string text = "bool comes_before(uint a, uint b) {\n";
    std::string sum = "0u";
    for (const std::string& name : names) {
        text += fmt::format("    uint {} = a * 3u;\n", name);
        sum += " + " + name;
    }
    return text + fmt::format("    return {} < b * {}u;\n}}\n", sum, 3 * names.size());
}

/// GLSL that declares each name by `declaration`, and whose comparison uses each name by `use`. Both are formats.
std::string glsl_with(const std::vector<std::string>& names, const std::string& declaration, const std::string& use) {
    std::string declarations;
    std::string sum = "0u";
    for (const std::string& name : names) {
        declarations += fmt::format(fmt::runtime(declaration), name) + "\n";
        sum += " + " + fmt::format(fmt::runtime(use), name);
    }
    return fmt::format("{}bool comes_before(uint a, uint b) {{ return {} < b * {}u; }}\n", declarations, sum,
                       3 * names.size());
}

/// The algorithm whose shaders use most names.
std::string merge_of(const Place& place) {
    return place.backend == Backend::compute ? "merge:shared" : "merge";
}

/// The compiler names the name that it refuses, so one text has all names of a kind.
void check_accepted(const std::string& glsl) {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place) << ": " << glsl);
        CHECK(refusal_of_glsl(context, place, merge_of(place), glsl, 4) == "(nothing thrown)");
    }
}

TEST_CASE("a comparison's names are its own: locals", "[sorter]") {
    check_accepted(glsl_with_locals(
        {"SIDE", "RUNS", "WINDOW", "ELEMENTS", "LANE", "Record", "Key", "Index", "op_count", "GROUP_SIZE", "C"}));
}

TEST_CASE("a comparison's names are its own: functions", "[sorter]") {
    check_accepted(glsl_with_functions({"load", "key", "count", "store", "kernel", "precedes", "compare", "tile_load",
                                        "source_gather", "group_of", "element", "LANE"},
                                       "uint"));
}

TEST_CASE("a comparison's names are its own: macros, types and constants", "[sorter]") {
    const std::vector<std::string> names{"RUNS", "element", "record", "place", "Record", "Node", "k", "TILE", "NONE"};
    check_accepted(glsl_with(names, "#define {} 3u", "a * {}"));
    check_accepted(glsl_with(names, "#define {}(x) ((x) * 3u)", "{}(a)"));
    check_accepted(glsl_with(names, "const uint {} = 3u;", "a * {}"));
    check_accepted(glsl_with(names, "struct {} {{ uint three; }};", "a * {}(3u).three"));
}

TEST_CASE("names with a prefix of their own compile", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        CHECK(refusal_of_glsl(context, place, "bitonic", glsl_with_functions({"my_depth"}, "uvec2")) ==
              "(nothing thrown)");
    }
}

}  // namespace
}  // namespace glsort::test
