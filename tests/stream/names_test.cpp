#include <glsort/planner.h>

#include <catch2/catch.hpp>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "support/paths.h"

/// Planner, sorters, the stream model and the executors know no algorithm. Not even their comments name one.

using namespace glsort;

namespace {

// Whether a name is also a common word. Such a name counts only in its exact form.
bool is_common_word(const std::string& name) {
    return name == "merge";
}

bool is_part_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Whether the text has the whole word.
bool has_word(const std::string& text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const bool begins = at == 0 || !is_part_of_word(text[at - 1]);
        const std::size_t end = at + word.size();
        if (begins && (end == text.size() || !is_part_of_word(text[end]))) return true;
    }
    return false;
}

std::vector<std::string> names_of_algorithms() {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms()) {
        names.push_back("algorithm " + algorithm.name);
        names.push_back("plan/" + algorithm.name);
        names.push_back("shaders/" + algorithm.name);
        if (!is_common_word(algorithm.name)) names.push_back(algorithm.name);
        for (const Algorithm::Variant& variant : algorithm.variants) {
            names.push_back(algorithm.name + ":" + variant.name);
            if (variant.name.find('-') != std::string::npos) names.push_back(variant.name);
        }
    }
    return names;
}

std::vector<std::filesystem::path> files_without_algorithms() {
    const std::filesystem::path source = std::filesystem::path(GLSORT_SOURCE_DIR) / "src" / "glsort";
    std::vector<std::filesystem::path> files;
    // spec.h is excluded: its tuning has a member for each family.
    for (const char* name : {"planner.h", "sorter.h", "sorter.cpp", "scene.h", "scene.cpp", "limits.h", "error.h"}) {
        REQUIRE(std::filesystem::exists(source / name));
        files.push_back(source / name);
    }
    for (const char* folder : {"base", "stream", "exec", "gl", "session"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(source / folder))
            if (entry.is_regular_file()) files.push_back(entry.path());
    // Only the list of algorithms may name all of them.
    for (const auto& entry : std::filesystem::directory_iterator(source / "plan"))
        if (entry.is_regular_file() && entry.path().filename() != "algorithms.cpp") files.push_back(entry.path());
    return files;
}

}  // namespace

TEST_CASE("planner, sorters, streams and executors name no algorithm", "[stream][rules]") {
    const std::vector<std::string> names = names_of_algorithms();
    const std::vector<std::filesystem::path> files = files_without_algorithms();
    CHECK(files.size() > 80);
    for (const auto& path : files) {
        std::ifstream file(path);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        CAPTURE(path.string());
        CHECK_FALSE(text.empty());
        for (const std::string& name : names) {
            CAPTURE(name);
            CHECK_FALSE(has_word(text, name));
        }
    }
}
