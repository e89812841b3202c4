#include "support/gif.h"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/palette.h"

using namespace glsort::demo;
using Catch::Contains;

namespace {

// A temporary file. The destructor removes the file.
struct GifFile {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("glsort-gif-test-" + std::to_string(getpid()) + ".gif");
    ~GifFile() {
        std::error_code error;
        std::filesystem::remove(path, error);
    }
};

Picture picture_of_keys(int width, int height, float shift) {
    Picture picture{width, height, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const Colour colour =
                y == 0 ? mark::written : key_colour(shift + static_cast<float>(x) / static_cast<float>(width));
            picture.rgba.insert(picture.rgba.end(), {colour.red, colour.green, colour.blue, 255});
        }
    return picture;
}

int worst_difference(const Picture& a, const Picture& b) {
    int worst = 0;
    for (std::size_t i = 0; i < a.rgba.size(); ++i)
        worst = std::max(worst, std::abs(a.rgba[i] - b.rgba[i]));
    return worst;
}

}  // namespace

TEST_CASE("a GIF of few colours comes back as it was", "[demos]") {
    const GifFile file;
    const std::vector<Picture> pictures = {picture_of_keys(60, 7, 0.0f), picture_of_keys(60, 7, 0.3f),
                                           picture_of_keys(60, 7, 0.0f)};
    write_gif(file.path, pictures, 0.1);
    const std::vector<Picture> read = read_gif(file.path);
    REQUIRE(read.size() == pictures.size());
    for (std::size_t i = 0; i < read.size(); ++i)
        CHECK(read[i] == pictures[i]);
}

TEST_CASE("of many colours a GIF keeps the frequent ones, and comes near the others", "[demos]") {
    const GifFile file;
    Picture picture = picture_of_keys(64, 100, 0.0f);
    for (int i = 0; i < 4096; ++i) {  // Each of them once, at the end.
        std::uint8_t* pixel = picture.rgba.data() + picture.rgba.size() - 4 * static_cast<std::size_t>(i + 1);
        pixel[0] = static_cast<std::uint8_t>(i % 16 * 17);
        pixel[1] = static_cast<std::uint8_t>(i / 16 % 16 * 17);
        pixel[2] = static_cast<std::uint8_t>(i / 256 * 17);
    }
    write_gif(file.path, {picture}, 0.1);
    const Picture read = read_gif(file.path).at(0);
    Picture top{64, 30, {picture.rgba.begin(), picture.rgba.begin() + 64 * 30 * 4}};
    CHECK(Picture{64, 30, {read.rgba.begin(), read.rgba.begin() + 64 * 30 * 4}} == top);
    CHECK(worst_difference(read, picture) <= 64);
    CHECK_FALSE(read == picture);
}

TEST_CASE("GIF files that cannot be written or read are named", "[demos]") {
    const Picture picture = picture_of_keys(8, 8, 0.0f);
    CHECK_THROWS_WITH(write_gif("/no/such/folder/a.gif", {picture}, 0.1), Contains("/no/such/folder/a.gif"));
    CHECK_THROWS_WITH(read_gif("/no/such/folder/a.gif"), Contains("/no/such/folder/a.gif"));
    CHECK_THROWS_WITH(write_gif("a.gif", {}, 0.1), Contains("no pictures"));
    CHECK_THROWS_WITH(write_gif("a.gif", {picture, picture_of_keys(9, 8, 0.0f)}, 0.1), Contains("9 by 8"));
    const GifFile file;
    std::ofstream(file.path) << "no picture";
    CHECK_THROWS_WITH(read_gif(file.path), Contains(file.path.string()));
}
