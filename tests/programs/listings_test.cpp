#include <catch2/catch.hpp>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "programs/process.h"
#include "support/paths.h"

/// What the documents show of `glsort plan` is what the program prints.

namespace glsort::test {
namespace {

/// A command of a document, and the listing behind the command.
struct Listing {
    std::string document;
    std::string command;
    std::string text;
};

/// Commands are in backquotes, and "prints" follows. The listing is the block of code behind the paragraph. Other
/// commands have no listing.
std::vector<Listing> listings_in(const std::string& document, const std::string& text) {
    const std::regex command("`(glsort plan[^`]*)`\\s+prints");
    std::vector<Listing> found;
    for (std::sregex_iterator match(text.begin(), text.end(), command), end; match != end; ++match) {
        const std::size_t behind = static_cast<std::size_t>(match->position() + match->length());
        const std::size_t begin = text.find("\n\n", behind) + 2;
        if (text.compare(begin, 4, "```\n") != 0) continue;
        const std::size_t close = text.find("```\n", begin + 4);
        REQUIRE(close != std::string::npos);
        // A command may go on in the next line.
        found.push_back({document, std::regex_replace(match->str(1), std::regex("\\s+"), " "),
                         text.substr(begin + 4, close - begin - 4)});
    }
    return found;
}

TEST_CASE("the listings of programs in the documents are what glsort plan prints", "[programs]") {
    const std::string glsort = "glsort() { '" + paths::program(GLSORT_CLI_PATH) + "' \"$@\"; }; ";
    std::size_t listings = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(paths::source("docs"))) {
        if (entry.path().extension() != ".md") continue;
        for (const Listing& listing : listings_in(entry.path().filename().string(), read_text(entry.path().string()))) {
            ++listings;
            INFO(listing.document << ": " << listing.command);
            const Result result = run_program("/bin/bash", {"-c", glsort + listing.command});
            CHECK(result.out == listing.text);
        }
    }
    CHECK(listings >= 4);
}

}  // namespace
}  // namespace glsort::test
