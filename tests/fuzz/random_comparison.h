#pragma once

#include <fuzzer/FuzzedDataProvider.h>
#include <glsort/spec.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/// Comparisons that are GLSL by their making, and some with one wrong line.

namespace glsort::fuzz {

struct RandomComparison {
    Comparison comparison;
    std::size_t wrong_line = 0;  ///< 0: none.
};

inline std::string key_type(std::uint32_t key_bytes) {
    return key_bytes == 4 ? "uint" : "uvec" + std::to_string(key_bytes / 4);
}

/// An expression of type uint over the words of `k`, or over calls of functions that are there.
inline std::string consume_expression(FuzzedDataProvider& data, std::uint32_t words, const std::string& key,
                                      const std::vector<std::string>& functions, int depth = 3) {
    const auto part = [&] { return consume_expression(data, words, key, functions, depth - 1); };
    switch (depth == 0 ? 0 : data.ConsumeIntegralInRange(0, 5)) {
        case 1:
            return std::to_string(data.ConsumeIntegral<std::uint32_t>()) + "u";
        case 2: {
            static constexpr const char* operators[] = {" + ", " * ", " & ", " ^ ", " | ", " /*x*/ - "};
            return "(" + part() + data.PickValueInArray(operators) + part() + ")";
        }
        case 3:
            return "(~" + part() + ")";
        case 4:
            return "(" + part() + " < " + part() + " ? " + part() + " : " + part() + ")";
        case 5:
            if (functions.empty()) return "floatBitsToUint(abs(uintBitsToFloat(" + part() + ")))";
            return functions[data.ConsumeIntegralInRange<std::size_t>(0, functions.size() - 1)] + "(" + key + ")";
        default:
            break;
    }
    return words == 1 ? key : key + "." + "xyzw"[data.ConsumeIntegralInRange<std::uint32_t>(0, words - 1)];
}

/// Lines of one kind of declaration, with joined lines where the version of GLSL has them, under names that the
/// library's shaders might want for themselves.
inline std::vector<std::string> consume_declaration(FuzzedDataProvider& data, std::uint32_t key_bytes,
                                                    std::vector<std::string>& names,
                                                    std::vector<std::string>& functions, bool joins) {
    const std::size_t at = data.ConsumeIntegralInRange<std::size_t>(0, names.size() - 1);
    const std::string name = names[at];
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(at));
    const std::string type = key_type(key_bytes);
    const auto expression = [&] { return consume_expression(data, key_bytes / 4, "k", functions); };
    switch (data.ConsumeIntegralInRange(0, 6)) {
        case 0:
            return {"# define " + name + "(x) (x)"};
        case 1:
            return {"#define /* a macro */ " + name + (joins ? " \\" : " 7u"),
                    joins ? "    7u // its end" : "// its end"};
        case 2:
            return {"const uint " + name + " = 3u;"};
        case 3:
            return {"struct " + name + " {", "    uint member;", "};"};
        case 4:
            return {"#if 0",
                    "nothing /* \" */",
                    "#else",
                    "// " + name + (joins ? " */ \\" : " */"),
                    joins ? "still a comment" : "",
                    "#endif"};
        case 5:
            return {"/* #define " + name, "#if 1 */"};
        default:
            break;
    }
    std::vector<std::string> lines{"uint " + name + "(" + type + " k) {", "    return " + expression() + ";", "}"};
    functions.push_back(name);
    return lines;
}

inline RandomComparison consume_comparison(FuzzedDataProvider& data, const std::string& comparison_name, bool joins) {
    RandomComparison made;
    made.comparison.name = comparison_name;
    made.comparison.key_bytes = 4 * data.ConsumeIntegralInRange(1u, 4u);
    std::vector<std::string> names{"load", "key",  "element", "record", "place",
                                   "SIDE", "LANE", "count",   "kernel", "main_"};
    std::vector<std::string> functions;
    std::vector<std::vector<std::string>> blocks;
    for (auto left = data.ConsumeIntegralInRange(0, 6); left > 0; --left)
        blocks.push_back(consume_declaration(data, made.comparison.key_bytes, names, functions, joins));
    const std::string type = key_type(made.comparison.key_bytes);
    const auto side = [&](const char* key) {
        return consume_expression(data, made.comparison.key_bytes / 4, key, functions);
    };
    blocks.push_back({"bool comes_before(" + type + " a, " + type + " b)", "{",
                      "    return " + side("a") + " < " + side("b") + ";", "}"});
    std::size_t wrong = blocks.size() + 1;
    if (data.ConsumeBool()) {
        wrong = data.ConsumeIntegralInRange<std::size_t>(0, blocks.size());
        blocks.insert(blocks.begin() + static_cast<std::ptrdiff_t>(wrong),
                      {data.PickValueInArray(
                          {"uint wrong() { return nowhere; }", "uint wrong = ;", "}", "bool wrong() { return 1u; }"})});
    }
    const std::string end = data.PickValueInArray({"\n", "\r\n"});
    std::size_t lines = 0;
    for (std::size_t i = 0; i < blocks.size(); ++i)
        for (const std::string& line : blocks[i]) {
            made.comparison.glsl += line + end;
            ++lines;
            if (i == wrong && made.wrong_line == 0) made.wrong_line = lines;
        }
    return made;
}

}  // namespace glsort::fuzz
