#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

/// The text of the library's sources, for tests of rules that no compiler checks.

namespace glsort::test {

inline const std::filesystem::path source_dir = GLSORT_SOURCE_DIR;

inline std::string read(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The first group of every match in `text`.
inline std::vector<std::string> matches(const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    std::vector<std::string> found;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), regex); match != std::sregex_iterator(); ++match)
        found.push_back((*match)[1]);
    return found;
}

struct Source {
    std::string name;  ///< Within src/glsort.
    std::string text;
};

inline std::vector<Source> sources() {
    const auto folder = source_dir / "src" / "glsort";
    std::vector<Source> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        // A template, from which a source is generated.
        std::string name = std::filesystem::relative(entry.path(), folder).generic_string();
        if (name.ends_with(".in")) name.resize(name.size() - 3);
        all.push_back({name, read(entry.path())});
    }
    return all;
}

inline std::vector<std::string> included_by(const Source& source) {
    return matches(source.text, "#include <glsort/([^>]+)>");
}

}  // namespace glsort::test
