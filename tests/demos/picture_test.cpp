#include "support/picture.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

#include "support/random.h"

using namespace glsort::demo;
using Catch::Contains;

namespace {

// A temporary directory for one test.
class TemporaryDirectory {
  public:
    TemporaryDirectory() {
        path_ = std::filesystem::temp_directory_path() / ("glsort-picture-" + std::to_string(std::random_device{}()));
        std::filesystem::create_directories(path_);
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    std::filesystem::path operator/(const char* name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

Picture noise(int width, int height, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Picture picture{width, height, {}};
    for (int i = 0; i < 4 * width * height; ++i)
        picture.rgba.push_back(static_cast<std::uint8_t>(random()));
    return picture;
}

}  // namespace

TEST_CASE("a picture survives writing and reading", "[demos]") {
    const glsort::test::Seed seed;
    const TemporaryDirectory directory;
    for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {64, 65}, {200, 7}}) {
        const Picture picture = noise(width, height, seed.value());
        write_png(directory / "picture.png", picture);
        CHECK(read_png(directory / "picture.png") == picture);
    }
}

TEST_CASE("pictures that do not fit their size are refused", "[demos]") {
    CHECK_THROWS_AS(write_png("x.png", Picture{}), std::invalid_argument);
    CHECK_THROWS_WITH(write_png("x.png", Picture{0, 5, {}}), Contains("0 by 5"));
    CHECK_THROWS_WITH(write_png("x.png", Picture{2, 2, {1, 2, 3}}), Contains("3 bytes") && Contains("16"));
    // More bytes than the encoder can count.
    CHECK(most_png_rows(16384) >= 16384);
    CHECK_THROWS_WITH(write_png("x.png", Picture{32768, 32768, {}}), Contains("x.png") && Contains("16383 rows"));
    CHECK_THROWS_WITH(write_png("x.png", Picture{32768, 16384, {}}), Contains("16383 rows"));
    CHECK_THROWS_WITH(write_png("x.png", Picture{32768, 16383, {}}), Contains("0 bytes"));
    CHECK_FALSE(std::filesystem::exists("x.png"));
}

TEST_CASE("files that cannot be written or read are named with the reason", "[demos]") {
    const TemporaryDirectory directory;
    const auto missing = directory / "no/such/picture.png";
    CHECK_THROWS_WITH(write_png(missing, noise(1, 1, 0)),
                      Contains("cannot write") && Contains(missing.string()) && Contains("No such file"));
    CHECK_THROWS_WITH(read_png(missing),
                      Contains("cannot read") && Contains(missing.string()) && Contains("No such file"));
    const auto text = directory / "text.png";
    std::ofstream(text) << "not a picture";
    CHECK_THROWS_WITH(read_png(text), Contains(text.string()) && Contains("not a PNG"));
    std::ofstream(directory / "empty.png").close();
    CHECK_THROWS_WITH(read_png(directory / "empty.png"), Contains("not a PNG"));
}

TEST_CASE("pictures are numbered from 1, past those that are there", "[demos]") {
    const TemporaryDirectory directory;
    CHECK(unused_png(directory / "seen") == directory / "seen-1.png");
    std::ofstream(directory / "seen-1.png").close();
    CHECK(unused_png(directory / "seen") == directory / "seen-2.png");
}

TEST_CASE("flipping swaps top and bottom", "[demos]") {
    Picture picture{1, 3, {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}};
    flip_vertically(picture);
    CHECK(picture.rgba == std::vector<std::uint8_t>{3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1});
    Picture even{1, 2, {1, 1, 1, 1, 2, 2, 2, 2}};
    flip_vertically(even);
    CHECK(even.rgba == std::vector<std::uint8_t>{2, 2, 2, 2, 1, 1, 1, 1});
    Picture empty;
    flip_vertically(empty);
    CHECK(empty.rgba.empty());
}
