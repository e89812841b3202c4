#include "support/scene.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <glm/geometric.hpp>
#include <random>
#include <string>

#include "support/random.h"

using namespace glsort::demo;
using Catch::Contains;

namespace {

// A temporary file. The destructor removes the file.
class TemporaryFile {
  public:
    TemporaryFile(const std::string& ending, const std::string& text) {
        path_ = std::filesystem::temp_directory_path() /
                ("glsort-scene-" + std::to_string(std::random_device{}()) + ending);
        std::ofstream(path_, std::ios::binary) << text;
    }
    ~TemporaryFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

std::string ply(int vertices, const std::string& body) {
    return "ply\nformat ascii 1.0\nelement vertex " + std::to_string(vertices) +
           "\nproperty float x\nproperty float y\nproperty float z\n" + body;
}

}  // namespace

TEST_CASE("points come from a PLY file without faces", "[demos]") {
    const TemporaryFile file(".ply", ply(4, "end_header\n0 0 0\n1 2 3\n-4 5 6.5\n1 2 3\n"));
    CHECK(load_shape(file.path()).points == std::vector<glm::vec3>{{0, 0, 0}, {1, 2, 3}, {-4, 5, 6.5}, {1, 2, 3}});
}

TEST_CASE("points come from a PLY file with faces", "[demos]") {
    const TemporaryFile file(".ply", ply(4,
                                         "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
                                         "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n"));
    CHECK(load_shape(file.path()).points == std::vector<glm::vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
}

TEST_CASE("a mesh keeps its faces, in triangles, and its colours", "[demos]") {
    const TemporaryFile file(".ply",
                             "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n"
                             "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n"
                             "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
                             "0 0 0 255 0 0\n1 0 0 255 0 0\n1 1 0 0 255 0\n0 1 0 0 255 0\n9 9 9 0 0 0\n4 0 1 2 3\n");
    const Shape shape = load_shape(file.path());
    CHECK(shape.points.size() == 5);
    REQUIRE(shape.triangles.size() == 2);
    CHECK(shape.triangles[1] == std::array<std::uint32_t, 3>{0, 2, 3});
    REQUIRE(shape.colours.size() == 5);
    CHECK(shape.colours[0] == glm::vec3(1, 0, 0));
    CHECK(shape.colours[3] == glm::vec3(0, 1, 0));
    CHECK(loose_points(shape) == 1);
}

TEST_CASE("samples of a surface lie on all of it, evenly", "[demos]") {
    // Two triangles of a square in the plane z = 0, and a triangle of a third of their area, far away.
    Shape shape;
    shape.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {5, 0, 0}, {6, 0, 0}, {5, 2.0f / 3.0f, 0}};
    shape.colours.assign(7, glm::vec3(0.25f, 0.5f, 0.75f));
    shape.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}};
    const Shape sampled = sample_surface(shape, 4000, 3);
    REQUIRE(sampled.points.size() == 4000);
    REQUIRE(sampled.colours.size() == 4000);
    REQUIRE(sampled.normals.size() == 4000);
    std::array<int, 4> quarters{};
    int far = 0;
    for (std::size_t i = 0; i < sampled.points.size(); ++i) {
        const glm::vec3& p = sampled.points[i];
        REQUIRE(p.z == 0.0f);
        REQUIRE(glm::length(sampled.colours[i] - shape.colours[0]) < 1e-6f);
        REQUIRE(std::abs(sampled.normals[i].z) == 1.0f);
        if (p.x > 2.0f)
            ++far;
        else
            ++quarters[(p.x > 0.5f ? 1u : 0u) + (p.y > 0.5f ? 2u : 0u)];
    }
    CHECK(std::abs(far - 1000) < 10);
    for (const int quarter : quarters)
        CHECK(std::abs(quarter - 750) < 120);
}

TEST_CASE("files without points are named with the reason", "[demos]") {
    CHECK_THROWS_WITH(load_shape("/no/such/file.ply"),
                      Catch::Equals("cannot read /no/such/file.ply: No such file or directory"));
    const TemporaryFile garbage(".ply", "garbage");
    CHECK_THROWS_WITH(load_shape(garbage.path()), Contains("cannot read " + garbage.path().string()));
    const TemporaryFile unknown(".unknown", "1 2 3");
    CHECK_THROWS_WITH(load_shape(unknown.path()), Contains(unknown.path().string()));
    const TemporaryFile empty(".ply", ply(0, "end_header\n"));
    CHECK_THROWS_AS(load_shape(empty.path()), std::runtime_error);
    const TemporaryFile early(".ply", ply(3, "end_header\n0 0 0\n"));
    CHECK_THROWS_WITH(load_shape(early.path()), Contains(early.path().string()) && Contains("cut off"));
    const TemporaryFile binary(".ply",
                               "ply\nformat binary_little_endian 1.0\nelement vertex 1000\nproperty float x\n"
                               "property float y\nproperty float z\nend_header\nabcd");
    CHECK_THROWS_WITH(load_shape(binary.path()), Contains(binary.path().string()) && Contains("cut off"));
    const TemporaryFile flat(".ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n");
    CHECK_THROWS_WITH(load_shape(flat.path()), Contains(flat.path().string()) && Contains("y"));
    const TemporaryFile nan(".ply", ply(2, "end_header\n0 0 0\n0 nan 0\n"));
    CHECK_THROWS_WITH(load_shape(nan.path()), Contains("point 1 is not finite"));
}

TEST_CASE("faces whose corners are no points are refused by their number", "[demos]") {
    for (const std::string index : {"3", "999999999", "4294967295"}) {
        const TemporaryFile file(".ply", ply(3,
                                             "element face 2\nproperty list uchar uint vertex_indices\nend_header\n"
                                             "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 " +
                                                 index + "\n"));
        CHECK_THROWS_WITH(load_shape(file.path()),
                          Catch::Equals("cannot read " + file.path().string() + ": mesh 0, face 1: index " + index +
                                        " names no point; the mesh has 3 points"));
    }
}

TEST_CASE("coordinates of a mesh may have plus signs", "[demos]") {
    const TemporaryFile file(".ply", ply(1, "end_header\n+1.5 -2 +3\n"));
    CHECK(load_shape(file.path()).points == std::vector<glm::vec3>{{1.5f, -2, 3}});
}

TEST_CASE("normalised points fill the unit cube", "[demos]") {
    std::vector<glm::vec3> points = {{10, 0, 1}, {14, 1, 1}, {12, 2, 1}};
    normalise(points);
    CHECK(points == std::vector<glm::vec3>{{-0.5f, -0.25f, 0}, {0.5f, 0, 0}, {0, 0.25f, 0}});

    std::vector<glm::vec3> one = {{3, 4, 5}, {3, 4, 5}};
    normalise(one);
    CHECK(one == std::vector<glm::vec3>{{0, 0, 0}, {0, 0, 0}});

    std::vector<glm::vec3> large = {{-3e38f, 0, 0}, {3e38f, 0, 0}};
    normalise(large);
    CHECK(large == std::vector<glm::vec3>{{-0.5f, 0, 0}, {0.5f, 0, 0}});

    std::vector<glm::vec3> none;
    normalise(none);
    CHECK(none.empty());
}

TEST_CASE("a galaxy has n particles within its sphere", "[demos]") {
    const glsort::test::Seed seed;
    for (const std::size_t n : {0u, 1u, 20000u}) {
        const Scene scene = make_galaxy(n, seed.value());
        REQUIRE(scene.particles.size() == n);
        std::size_t wrong = 0;
        for (const Particle& p : scene.particles) {
            const bool colour_fits = p.colour.r >= 0 && p.colour.r <= 1 && p.colour.g >= 0 && p.colour.g <= 1 &&
                                     p.colour.b >= 0 && p.colour.b <= 1 && p.colour.a > 0 && p.colour.a < 1;
            wrong += !(glm::length(p.position) <= 0.50001f) || !colour_fits || !(p.size > 0);
        }
        CHECK(wrong == 0);
    }
    const Scene a = make_galaxy(100, 7);
    const Scene b = make_galaxy(100, 7);
    const Scene c = make_galaxy(100, 8);
    CHECK(a.particles[99].position == b.particles[99].position);
    CHECK(a.particles[99].position != c.particles[99].position);
}

TEST_CASE("moving turns about the y axis and lifts by the wave", "[demos]") {
    const Motion turn{.turn_speed = 1.5707963f, .wave_height = 0, .wave_number = 0, .wave_speed = 0};
    const glm::vec3 moved_point = moved({1, 2, 0}, turn, 1.0f);
    CHECK(moved_point.x == Approx(0).margin(1e-6));
    CHECK(moved_point.y == 2.0f);
    CHECK(moved_point.z == Approx(-1));
    CHECK(moved({1, 2, 3}, turn, 0.0f) == glm::vec3(1, 2, 3));

    const Motion wave{.turn_speed = 0, .wave_height = 0.5f, .wave_number = 1, .wave_speed = 2};
    const glm::vec3 lifted = moved({3, 0, 4}, wave, 1.0f);
    CHECK(lifted.y == Approx(0.5 * std::sin(5.0 - 2.0)));
    CHECK(lifted.x == 3.0f);
}
