#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "stream/library_sources.h"

namespace glsort::test {
namespace {

/// A row of the table of layers.
struct Layer {
    std::string name;
    std::vector<std::string> files;  ///< Headers and folders, within src/glsort.
    std::vector<std::string> below;  ///< Layers.
};

/// The table in docs/contributing.md: layers, their files, and the layers that each may include, all in backquotes.
std::vector<Layer> layers() {
    std::vector<Layer> all;
    std::istringstream lines(read(source_dir / "docs" / "contributing.md"));
    bool in_table = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("| layer |")) in_table = true;
        if (!line.starts_with("|")) in_table = false;
        if (!in_table || !line.starts_with("| `")) continue;
        std::vector<std::vector<std::string>> cells;
        for (const std::string& cell : matches(line, R"(\|([^|]*)(?=\|))"))
            cells.push_back(matches(cell, "`([^`]*)`"));
        REQUIRE(cells.size() >= 3);
        all.push_back({cells[0].at(0), cells[1], cells[2]});
    }
    return all;
}

/// The row of a file's layer in the table. A source belongs to the layer of its header.
std::size_t layer_of(const std::vector<Layer>& all, std::string file) {
    if (file.find('/') == std::string::npos && file.ends_with(".cpp")) file.replace(file.size() - 3, 3, "h");
    std::size_t layer = 0;
    for (; layer < all.size(); ++layer)
        for (const std::string& of_layer : all[layer].files)
            if (file == of_layer || (of_layer.ends_with('/') && file.starts_with(of_layer))) return layer;
    return layer;
}

/// Finds variables that live as long as the process and may change, or that are initialised at run time. Reads single
/// lines of C++ in the style of this library.
class StaticVariables {
  public:
    bool declared_in(const std::string& line) const {
        const auto has = [&line](const std::regex& regex) { return std::regex_search(line, regex); };
        return (has(local_) || (has(global_) && !line.starts_with("inline namespace"))) && !has(constant_);
    }

  private:
    std::regex constant_{R"(\b(constexpr|constinit)\b)"};
    // A function has parentheses before any of the final characters.
    std::regex local_{R"(^\s*(inline )?(static|thread_local)\b[^(=;{]*[=;{])"};
    // Namespaces do not indent.
    std::regex global_{R"(^(const |std::|inline |unsigned |int |bool |char |float )[^(=;{]*[\w\]] ?[={;])"};
};

TEST_CASE("includes point down the table of layers", "[stream][rules]") {
    const std::vector<Layer> all = layers();
    REQUIRE(all.size() >= 6);
    // A layer is below the layers that follow it.
    for (std::size_t layer = 0; layer < all.size(); ++layer)
        for (const std::string& below : all[layer].below) {
            CAPTURE(all[layer].name, below);
            const auto named = std::find_if(all.begin(), all.end(), [&](const Layer& l) { return l.name == below; });
            CHECK(named < all.begin() + static_cast<std::ptrdiff_t>(layer));
        }
    std::size_t includes = 0;
    for (const Source& source : sources()) {
        const std::size_t layer = layer_of(all, source.name);
        CAPTURE(source.name);
        REQUIRE(layer < all.size());
        for (const std::string& included : included_by(source)) {
            ++includes;
            const std::size_t other = layer_of(all, included);
            CAPTURE(included);
            REQUIRE(other < all.size());
            const std::vector<std::string>& below = all[layer].below;
            CHECK((other == layer || std::find(below.begin(), below.end(), all[other].name) != below.end()));
        }
    }
    CHECK(includes > 200);
}

TEST_CASE("every file of the table of layers is there", "[stream][rules]") {
    for (const Layer& layer : layers())
        for (const std::string& file : layer.files) {
            CAPTURE(layer.name, file);
            CHECK(std::filesystem::exists(source_dir / "src" / "glsort" / file));
        }
}

TEST_CASE("the library has no variables that outlive a call", "[stream][rules]") {
    const StaticVariables variables;
    for (const char* line :
         {"    static std::mutex mutex;", "static int count = 0;", "const std::vector<float> all{1.0f};",
          "    static const std::vector<Item> items = make_items();", "thread_local bool busy;", "int counter;",
          "inline std::string name = \"a\";", "std::map<int, int> known;"}) {
        CAPTURE(line);
        CHECK(variables.declared_in(line));
    }
    for (const char* line :
         {"    static constexpr const char* formats[] = {\"\"};", "    static Texels of(int a = 1);",
          "constinit const Table table{};", "std::string name_of(int a) {", "extern const Table table;",
          "const char* text(int a) { return \"\"; }", "inline constexpr int most = 4;", "    std::vector<int> local;",
          "inline const Tuning& tuning_of(const Frame& frame) {"}) {
        CAPTURE(line);
        CHECK_FALSE(variables.declared_in(line));
    }
    for (const Source& source : sources()) {
        std::istringstream lines(source.text);
        for (std::string line; std::getline(lines, line);)
            if (variables.declared_in(line)) FAIL_CHECK(source.name << ": " << line);
    }
}

}  // namespace
}  // namespace glsort::test
