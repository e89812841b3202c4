#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <system_error>
#include <vector>

// The program has no library to link with.
#include "particles/splats.cpp"  // NOLINT(bugprone-suspicious-include)

namespace glsort::demo {
namespace {

using Catch::Contains;

/// A file with `count` splats by its header, and with these rows. A row has fourteen numbers, in the order of
/// `splat_properties`. The destructor removes the file.
class SplatFile {
  public:
    SplatFile(std::uint64_t count, const std::vector<std::string>& rows)
        : path_(std::filesystem::temp_directory_path() /
                ("glsort-splats-" + std::to_string(std::random_device{}()) + ".ply")) {
        std::ofstream file(path_);
        file << "ply\nformat ascii 1.0\nelement vertex " << count << "\n";
        for (const std::string& property : splat_properties)
            file << "property float " << property << "\n";
        file << "end_header\n";
        for (const std::string& row : rows)
            file << row << "\n";
    }
    ~SplatFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    SplatFile(const SplatFile&) = delete;
    SplatFile& operator=(const SplatFile&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// The splats of a file with these rows.
std::vector<Splat> load(const std::vector<std::string>& rows) {
    return load_splats(SplatFile(rows.size(), rows).path());
}

TEST_CASE("rotations of splats may have any length", "[demos]") {
    const Splat expected = load({"0 0 0 -1 -2 -3 1 2 3 4 0 0 0 0"}).front();
    for (const std::string length : {"e-30", "e-40", "e25", "e37"}) {
        CAPTURE(length);
        const Splat splat = load({fmt::format("0 0 0 -1 -2 -3 1{0} 2{0} 3{0} 4{0} 0 0 0 0", length)}).front();
        for (int i = 0; i < 3; ++i) {
            CHECK(splat.variance[i] == Approx(expected.variance[i]).epsilon(1e-4));
            CHECK(splat.covariance[i] == Approx(expected.covariance[i]).epsilon(1e-4).margin(1e-7));
        }
    }
}

TEST_CASE("splats far apart come into the cube", "[demos]") {
    const std::string rest = " 0 0 -1 -1 -1 1 0 0 0 0 0 0 0";
    const std::vector<Splat> splats = load({"-3e38" + rest, "3e38" + rest});
    CHECK(splats[0].position.x == Approx(-0.5f));
    CHECK(splats[1].position.x == Approx(0.5f));
}

TEST_CASE("splats that are too large for floats are refused by their number", "[demos]") {
    const std::string shape = " 1 0 0 0 0 0 0 0";
    CHECK_THROWS_WITH(load({"0 0 0 -1 -1 -1" + shape, "1 0 0 -1 99 -1" + shape}),
                      Contains("vertex 1: scale_1 99 exceeds the limit of 40"));
    CHECK_THROWS_WITH(load({"0 0 0 -1 -1 -1" + shape, "1e-30 0 0 -1 -1 -1" + shape}),
                      Contains("vertex 0: its scales are too large beside the places"));
    std::vector<std::string> rows(300, "1e-30 0 0 -99 -99 -99" + shape);
    rows[0] = "0 0 0 -99 -99 -99" + shape;
    rows[1] = rows[2] = rows[3] = rows[0];
    rows[7] = "3e38 0 0 -99 -99 -99" + shape;
    CHECK_THROWS_WITH(load(rows), Contains("vertex 7: its place is too far from the others"));
}

TEST_CASE("the memory for a file of splats is known from its header", "[demos]") {
    // Fourteen floats of the file, a splat, and a coordinate.
    constexpr std::uint64_t bytes = 56 + 64 + 4;
    CHECK(bytes_to_load_splats(SplatFile(0, {}).path()) == 0);
    CHECK(bytes_to_load_splats(SplatFile(1000, {}).path()) == 1000 * bytes);
    CHECK(bytes_to_load_splats(SplatFile(4294967295, {}).path()) == 4294967295 * bytes);
}

}  // namespace
}  // namespace glsort::demo
