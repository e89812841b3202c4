#include <catch2/catch.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

TEST_CASE("the library uses nothing of C++ that browser toolchains lack", "[stream][rules]") {
    std::size_t files = 0;
    const auto folder = std::filesystem::path(GLSORT_SOURCE_DIR) / "src" / "glsort";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        ++files;
        std::ifstream file(entry.path());
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        CAPTURE(entry.path().string());
        for (const char* lacking :
             {"<iostream>", "<istream>", "<ostream>", "<sstream>", "<fstream>", "<iomanip>", "<ranges>", "std::ranges",
              "std::views", "<fmt/ranges.h>", "<fmt/ostream.h>", "<nlohmann/json.hpp>"})
            CHECK(text.find(lacking) == std::string::npos);
    }
    CHECK(files > 50);
}
