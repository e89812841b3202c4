#include "support/output_file.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "support/console.h"
#include "support/memory.h"
#include "support/picture_writer.h"

using namespace glsort::demo;
using Catch::Contains;
using Catch::Equals;

namespace {

class OutputFolder {
  public:
    OutputFolder()
        : path_(std::filesystem::temp_directory_path() / ("glsort-output-" + std::to_string(std::random_device{}()))) {
        std::filesystem::create_directories(path_);
    }
    ~OutputFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    OutputFolder(const OutputFolder&) = delete;
    OutputFolder& operator=(const OutputFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

std::string text_in(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("several names of one file are seen as one", "[demos]") {
    const OutputFolder folder;
    CHECK(is_same_file("a", "./a"));
    CHECK(is_same_file("no/folder/../a", "no/a"));
    CHECK_FALSE(is_same_file("a", "b"));
    CHECK(is_same_file("-", "-"));
    CHECK_FALSE(is_same_file("-", "a"));
    write_file(folder / "there", std::string_view("x"));
    std::filesystem::create_symlink("there", folder / "link");
    std::filesystem::create_hard_link(folder / "there", folder / "hard");
    CHECK(is_same_file(folder / "there", folder / "link"));
    CHECK(is_same_file(folder / "there", folder / "hard"));
    CHECK(is_standard_output("-"));
    CHECK_FALSE(is_standard_output(folder / "there"));
}

TEST_CASE("all files are written, or none", "[demos]") {
    const OutputFolder folder;
    const std::string text = "keys";
    const auto bytes = std::as_bytes(std::span(text));
    CHECK_THROWS_WITH(write_files({{folder / "a", bytes}, {folder / "missing/b", bytes}}), Contains("missing/b"));
    CHECK_FALSE(std::filesystem::exists(folder / "a"));
    write_files({{folder / "a", bytes}, {folder / "b", bytes}});
    CHECK(text_in(folder / "a") == text);
    CHECK(text_in(folder / "b") == text);
}

TEST_CASE("a link stays a link, even if its file does not exist yet", "[demos]") {
    const OutputFolder folder;
    std::filesystem::create_symlink("second", folder / "first");
    std::filesystem::create_symlink(folder / "file", folder / "second");
    for (const std::string text : {"new", "newer"}) {
        write_file(folder / "first", std::string_view(text));
        CHECK(std::filesystem::is_symlink(folder / "first"));
        CHECK(std::filesystem::is_symlink(folder / "second"));
        CHECK(text_in(folder / "file") == text);
    }
}

TEST_CASE("files have names of up to 255 bytes", "[demos]") {
    const OutputFolder folder;
    const std::string a = std::string(254, 'n') + "a";
    const std::string b = std::string(254, 'n') + "b";
    const std::string keys = "keys";
    const std::string values = "values";
    write_files({{folder / a, std::as_bytes(std::span(keys))}, {folder / b, std::as_bytes(std::span(values))}});
    CHECK(text_in(folder / a) == keys);
    CHECK(text_in(folder / b) == values);
    const std::filesystem::directory_iterator all(folder / "");
    CHECK(std::distance(begin(all), end(all)) == 2);
}

TEST_CASE("an output of pictures goes by its name", "[demos]") {
    const OutputFolder folder;
    CHECK(picture_target("-", 1) == PictureTarget::png);
    CHECK(picture_target("-", 2) == PictureTarget::gif);
    CHECK(picture_target(folder / "a.png", 1) == PictureTarget::png);
    CHECK(picture_target(folder / "a.GIF", 9) == PictureTarget::gif);
    CHECK(picture_target(folder / "new", 9) == PictureTarget::folder);
    CHECK(picture_target(folder / "of/version.2", 9) == PictureTarget::folder);
    for (const std::string name : {"a.jpg", "a.tiff", "a.svg", "a.AVIF"})
        CHECK_THROWS_WITH(picture_target(folder / name, 1), Contains(name + ": pictures are .png or .gif files"));
    CHECK_THROWS_WITH(picture_target(folder / "none/a.png", 1), Contains("cannot write") && Contains("No such file"));
    write_file(folder / "text", std::string_view("x"));
    CHECK_THROWS_WITH(picture_target(folder / "text", 1), Contains("neither a .png nor a .gif file"));
    const std::string below_file = (folder / "text/pictures").string();
    CHECK_THROWS_WITH(picture_target(below_file, 9), Equals("cannot write " + below_file + ": Not a directory"));
}

TEST_CASE("a folder for pictures is made, and not before there is a writer", "[demos]") {
    const OutputFolder folder;
    CHECK(picture_target(folder / "some/pictures", 2) == PictureTarget::folder);
    CHECK_FALSE(std::filesystem::exists(folder / "some"));
    const PictureWriter writer(folder / "some/pictures", 2, 0.1);
    CHECK(std::filesystem::is_directory(folder / "some/pictures"));
    // Whoever may write everywhere meets no locked folder.
    std::filesystem::create_directory(folder / "locked");
    std::filesystem::permissions(folder / "locked", std::filesystem::perms::owner_read);
    if (access((folder / "locked").c_str(), W_OK) != 0)
        for (const std::string name : {"locked", "locked/pictures"})
            CHECK_THROWS_WITH(picture_target(folder / name, 2), Contains(name + ": Permission denied"));
    std::filesystem::permissions(folder / "locked", std::filesystem::perms::owner_all);
}

TEST_CASE("memory is asked for before it is used", "[demos]") {
    CHECK(free_memory() > 0);
    CHECK(bytes_text(1000) == "1000 bytes");
    CHECK(bytes_text(3u << 29) == "1.5 GiB");
    CHECK(in_units("needs 17179869184 bytes; the limit is 134217728 bytes (storage_bytes) of 12 bytes") ==
          "needs 16.0 GiB; the limit is 128.0 MiB (storage_bytes) of 12 bytes");
    const std::string close = "needs 2147483648 bytes; the limit is 2147483647 bytes (storage_bytes)";
    CHECK(in_units(close) == close);
    CHECK_THROWS_AS(require_memory("-n 5", 2048, 1024, "the GPU's"), UsageError);
    CHECK_NOTHROW(require_memory("-n 5", 100, 100, "the computer's"));
    CHECK_THROWS_WITH(require_memory("-n 5", 2048, 1024, "the GPU's"),
                      Equals("-n 5: 2.0 KiB of the GPU's memory are needed; the limit is the 1.0 KiB that are free"));
}
