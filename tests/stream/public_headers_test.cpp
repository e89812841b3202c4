#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "stream/library_sources.h"

namespace glsort::test {
namespace {

/// The headers that src/CMakeLists.txt installs, by name.
std::map<std::string, std::string> installed_headers() {
    const std::string cmake = read(source_dir / "src" / "CMakeLists.txt");
    const std::vector<std::string> lists = matches(cmake, R"(foreach\(header IN ITEMS([^)]*)\))");
    REQUIRE(lists.size() == 1);
    std::map<std::string, std::string> headers;
    for (const std::string& name : matches(lists.front(), R"((\S+))"))
        headers[name] = read(source_dir / "src" / "glsort" / name);
    return headers;
}

/// Functions, and classes with functions, whose bodies are in a source file and which lack GLSORT_API. A shared library
/// would not export them. Reads single lines of C++ in the style of this library.
std::set<std::string> without_mark(const std::string& header) {
    // Nothing outside of classes is indented. A declaration may continue on the next line.
    static const std::regex function(
        R"(^(?!GLSORT_API|inline|constexpr|template|using|static_assert|#|\}|/)[\w:].* [*&]?\w+\(.*[;,]$)");
    static const std::regex type(R"(^(?:class|struct) (?:GLSORT_API )?(\w+)[^;]*\{$)");
    static const std::regex member(
        R"(^    (?!friend|using|static_assert|return)[\w~][^=(]*\(.*\)(?: const)?(?: noexcept)?;(?: *///<.*)?$)");
    std::set<std::string> found;
    std::istringstream lines(header);
    std::string open_type;
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, match, type))
            open_type = line.find("GLSORT_API") == std::string::npos ? match[1].str() : "";
        if (line == "};") open_type.clear();
        if (std::regex_match(line, function)) found.insert(line);
        if (!open_type.empty() && std::regex_match(line, member)) found.insert(open_type);
    }
    return found;
}

TEST_CASE("ten headers at most are installed", "[stream][rules]") {
    const auto headers = installed_headers();
    CHECK(headers.size() <= 10);
    for (const auto& [name, text] : headers) {
        CAPTURE(name);
        CHECK(text.size() > 200);
    }
}

TEST_CASE("installed headers include installed headers only", "[stream][rules]") {
    const auto headers = installed_headers();
    for (const auto& [name, text] : headers)
        for (const std::string& included : included_by({name, text})) {
            CAPTURE(name, included);
            CHECK(headers.count(included) == 1);
        }
}

TEST_CASE("a shared library exports all that the installed headers declare", "[stream][rules]") {
    CHECK(without_mark("int count(const A& a);\n").size() == 1);
    CHECK(without_mark("std::vector<B> list(int first,\n                    int last);\n").size() == 1);
    CHECK(without_mark("class A {\n    int b() const;\n};\n") == std::set<std::string>{"A"});
    CHECK(without_mark("class A {\n    ~A();\n};\n") == std::set<std::string>{"A"});
    for (const char* line : {"GLSORT_API int count(const A& a);\n", "inline int count() {\n", "class A;\n",
                             "class GLSORT_API A {\n    int b() const;\n};\n",
                             "class A {\n    int b() const { return 1; }\n    int c = size(1);\n};\n"}) {
        CAPTURE(line);
        CHECK(without_mark(line).empty());
    }
    for (const auto& [name, text] : installed_headers()) {
        CAPTURE(name);
        CHECK(without_mark(text) == std::set<std::string>{});
    }
}

}  // namespace
}  // namespace glsort::test
