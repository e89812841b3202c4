// Pictures of the stage viewer's views of merges, radix sorts and sample sorts.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pictures.h"
#include "process.h"
#include "stages/options.h"
#include "support/palette.h"
#include "support/picture.h"

namespace {

using glsort::demo::Picture;
using namespace glsort::test;

// A picture before each op, and one after the last of `ops`.
std::vector<Picture> pictures_of(const std::string& view, const std::string& algorithm, std::uint32_t n,
                                 std::uint32_t tile, std::uint32_t samples, std::uint32_t ops) {
    const Folder folder;
    glsort::demo::Options options;
    options.view = view;
    options.method.algorithm = algorithm;
    options.method.tile = tile;
    options.method.samples = samples;
    options.backend = glsort::Backend::cpu;
    options.input.n = n;
    options.headless = true;
    options.frames = ops + 1;
    options.output = folder.file("pictures");
    run_headless(options);
    std::vector<Picture> pictures;
    for (std::uint32_t i = 0; i <= ops; ++i)
        pictures.push_back(glsort::demo::read_png(folder.file(fmt::format("pictures/{:04}.png", i))));
    return pictures;
}

// The keys of a row, by their places: the lowest row that has all keys. The legend is excluded, because it has all
// colours, too.
std::vector<int> lowest_keys(Picture picture, int count) {
    constexpr int legend = 36;
    picture.height -= legend;
    picture.rgba.resize(std::size_t{4} * picture.width * picture.height);
    return bars_of(picture, count, picture.width);
}

// The places at which a column of pixels changes to the colour of a lit step, from top to bottom.
std::vector<int> lit_steps(const Picture& picture, int x) {
    const glsort::demo::Colour lit = glsort::demo::mark::other;
    std::vector<int> tops;
    bool before = false;
    for (int y = 0; y < picture.height; ++y) {
        const bool now = colour_at(picture, x, y) == Pixel{lit.red, lit.green, lit.blue};
        if (now && !before) tops.push_back(y);
        before = now;
    }
    return tops;
}

}  // namespace

TEST_CASE("stages shows the merged sequence once a merge has written it", "[programs]") {
    // merge_runs, merge_order and merge_place. Only the last op writes the sequence.
    const std::vector<Picture> pictures = pictures_of("merge-path", "merge:multiway", 48, 0, 0, 3);
    CHECK_FALSE(std::ranges::is_sorted(lowest_keys(pictures[0], 48)));
    CHECK_FALSE(std::ranges::is_sorted(lowest_keys(pictures[1], 48)));
    CHECK_FALSE(std::ranges::is_sorted(lowest_keys(pictures[2], 48)));
    REQUIRE(lowest_keys(pictures[3], 48).size() == 48);
    CHECK(std::ranges::is_sorted(lowest_keys(pictures[3], 48)));
}

TEST_CASE("stages shows what a group has sorted by all digits", "[programs]") {
    const std::vector<Picture> pictures = pictures_of("radix", "radix:reduce-then-scan", 16, 0, 0, 1);
    CHECK_FALSE(std::ranges::is_sorted(lowest_keys(pictures[0], 16)));
    REQUIRE(lowest_keys(pictures[1], 16).size() == 16);
    CHECK(std::ranges::is_sorted(lowest_keys(pictures[1], 16)));
}

TEST_CASE("stages lights the steps of a sample sort", "[programs]") {
    const std::vector<Picture> pictures = pictures_of("sample-sort", "sample:paper", 1024, 64, 8, 12);
    constexpr int inside = 15;
    CHECK(lit_steps(pictures[0], inside).empty());
    // Numbers of ops. Tiles are cut and sorted, samples taken and sorted, splitters found and placed, buckets summed
    // and filled.
    const std::vector<std::size_t> expected{2, 1, 1, 2, 1, 1};
    int last = 0;
    for (std::size_t op = 0; op < expected.size(); ++op) {
        CAPTURE(op);
        const std::vector<int> lit = lit_steps(pictures[op + 1], inside);
        REQUIRE(lit.size() == expected[op]);
        CHECK(lit.front() > last);
        last = lit.back();
    }
    // The other ops sort the buckets.
    for (std::size_t op = expected.size(); op < 12; ++op) {
        CAPTURE(op);
        const std::vector<int> lit = lit_steps(pictures[op + 1], inside);
        REQUIRE(lit.size() == 1);
        CHECK(lit.front() > lit_steps(pictures[expected.size()], inside).front());
    }
}
