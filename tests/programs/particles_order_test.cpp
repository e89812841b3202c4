// The order of the program particles: several emitters as one, and what the camera does not see left out.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "pictures.h"
#include "process.h"
#include "support/paths.h"
#include "support/picture.h"
#include "support/random.h"

// The program has no library to link with. A test must see the program's check fail.
#include "particles/verify.cpp"  // NOLINT(bugprone-suspicious-include)

namespace {

using Catch::Matchers::Contains;
using glsort::demo::check_order;
using glsort::demo::CpuKey;
using glsort::demo::Picture;
using glsort::demo::read_png;
using namespace glsort::test;

// A context that the program asks for.
struct Asked {
    std::string name;
    std::vector<std::string> arguments;
    Environment environment;  // Mesa gives no newer version then. Other drivers ignore the variables.
};

const std::vector<Asked>& asked_contexts() {
    static const std::vector<Asked> contexts = {
        {"OpenGL 4.5", {"--gl-version", "4.5"}, {}},
        {"OpenGL 4.5, fragment", {"--gl-version", "4.5", "--backend", "fragment"}, {}},
        {"OpenGL 3.3",
         {"--gl-version", "3.3"},
         {{"MESA_GL_VERSION_OVERRIDE", "3.3"}, {"MESA_GLSL_VERSION_OVERRIDE", "330"}}},
        {"OpenGL ES 3.1", {"--api", "gles", "--gl-version", "3.1"}, {}},
        {"OpenGL ES 3.0", {"--api", "gles", "--gl-version", "3.0"}, {{"MESA_GLES_VERSION_OVERRIDE", "3.0"}}}};
    return contexts;
}

// A picture, and the numbers of the line "visible".
struct Drawn {
    Picture picture;
    std::uint32_t visible = 0;
    std::uint32_t all = 0;
};

// Draws a frame, which the program verifies if it sorts.
Drawn draw_in(const Asked& asked, const std::vector<std::string>& more) {
    const Folder folder;
    const std::string path = folder.file("order.png");
    std::vector<std::string> arguments = {"--headless", "--verify", "--frames", "1",
                                          "--size",     "200x150",  "--output", path};
    arguments.insert(arguments.end(), asked.arguments.begin(), asked.arguments.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result result = run_program(paths::program(PARTICLES_PATH), arguments, asked.environment);
    INFO(result.err);
    REQUIRE(result.code == 0);
    Drawn drawn{read_png(path)};
    for (const std::string& line : lines_of(result.out))
        std::sscanf(line.c_str(), "visible  %u of %u", &drawn.visible, &drawn.all);
    return drawn;
}

// Points in a ball, as a PLY file without faces. From the program's first view their depths lie so far apart that all
// roundings give one order.
void write_ball(const std::string& path, std::uint64_t seed, int n) {
    std::mt19937_64 random(seed);
    const auto uniform = [&random] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    constexpr double yaw = 0.5;  // The first view of a file.
    constexpr double pitch = 0.25;
    const std::array<double, 3> ahead = {std::cos(pitch) * std::sin(yaw), std::sin(pitch),
                                         std::cos(pitch) * std::cos(yaw)};
    const std::array<double, 3> right = {std::cos(yaw), 0.0, -std::sin(yaw)};
    const std::array<double, 3> up = {-std::sin(pitch) * std::sin(yaw), std::cos(pitch),
                                      -std::sin(pitch) * std::cos(yaw)};
    std::vector<int> steps(static_cast<std::size_t>(n));
    std::iota(steps.begin(), steps.end(), 0);
    std::shuffle(steps.begin(), steps.end(), random);
    std::ofstream file(path);
    file << "ply\nformat ascii 1.0\nelement vertex " << n
         << "\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nproperty uchar green\n"
            "property uchar blue\nend_header\n";
    for (const int step : steps) {
        const double depth = 2.0 * (step + 0.5) / n - 1.0;
        const double radius = std::sqrt(uniform() * (1.0 - depth * depth));
        const double angle = 6.283185307179586 * uniform();
        for (std::size_t i = 0; i < 3; ++i)
            file << fmt::format(
                "{} ", depth * ahead[i] + radius * std::cos(angle) * right[i] + radius * std::sin(angle) * up[i]);
        file << fmt::format("{} {} {}\n", random() % 256, random() % 256, random() % 256);
    }
}

std::vector<CpuKey> exact(const std::vector<float>& keys) {
    std::vector<CpuKey> result;
    for (const float key : keys)
        result.push_back({.key = key});
    return result;
}

}  // namespace

TEST_CASE("The order's check finds what is wrong", "[programs]") {
    const std::vector<CpuKey> keys = exact({2.0f, -1.0f, 2.0f, 7.0f, -5.5f});
    CHECK(check_order(keys, {3, 0, 2, 1, 4}).empty());
    CHECK_THAT(check_order(keys, {3, 2, 0, 1, 4}), Contains("position 2 ") && Contains("equal key"));  // Not stable.
    CHECK_THAT(check_order(keys, {0, 3, 2, 1, 4}), Contains("position 1 ") && Contains("behind position 0"));
    CHECK_THAT(check_order(keys, {3, 0, 2, 4, 1}), Contains("position 4 "));
    CHECK_THAT(check_order(keys, {3, 0, 2, 1, 3}), Contains("positions 0 and 4 both hold index 3"));
    CHECK_THAT(check_order(keys, {3, 0, 2, 1, 5}), Contains("position 4 holds index 5 of 5"));
    CHECK_THAT(check_order(keys, {3, 0, 2, 1}), Contains("particle 4 is missing"));
    CHECK_THAT(check_order(exact({std::numeric_limits<float>::quiet_NaN()}), {0}), Contains("position 0"));
    CHECK(check_order({}, {}).empty());
}

TEST_CASE("The order's check knows what lies outside of the frustum, and how exact keys are", "[programs]") {
    const std::vector<CpuKey> keys = {{.key = 3.0f, .inside = 0.5f, .error = 0.01f},
                                      {.key = 2.0f, .inside = -0.5f, .error = 0.01f},
                                      {.key = 1.0f, .inside = 0.005f, .error = 0.01f},
                                      {.key = 1.015f, .inside = 0.5f, .error = 0.01f}};
    CHECK(check_order(keys, {0, 3}).empty());
    CHECK(check_order(keys, {0, 3, 2}).empty());  // On a plane: either way is right.
    CHECK(check_order(keys, {0, 2, 3}).empty());  // As near as their errors.
    CHECK_THAT(check_order(keys, {3, 0}), Contains("position 1 "));
    CHECK_THAT(check_order(keys, {0, 1, 3}), Contains("position 1 ") && Contains("0.5 outside"));
    CHECK_THAT(check_order(keys, {0, 2}), Contains("particle 3 is missing"));
    // Errors do not add up over many small steps back.
    CHECK_THAT(
        check_order({{.key = 1.0f, .error = 0.01f}, {.key = 1.015f, .error = 0.01f}, {.key = 1.03f, .error = 0.01f}},
                    {0, 1, 2}),
        Contains("position 2 "));
}

TEST_CASE("particles of three emitters are drawn in one order, pixel by pixel", "[programs]") {
    const Seed seed;
    const Folder folder;
    const std::string ball = folder.file("ball.ply");
    write_ball(ball, seed.value(), 500);
    const Asked& usual = asked_contexts().front();
    const Drawn unsorted = draw_in(usual, {"--scene", ball, "--no-sort"});
    for (const Asked& asked : asked_contexts()) {
        CAPTURE(asked.name);
        const Drawn three = draw_in(asked, {"--scene", ball, "--emitters", "3"});
        CHECK(three.visible == 500);
        CHECK(three.picture == draw_in(asked, {"--scene", ball, "--emitters", "3", "--keys-on", "cpu"}).picture);
        CHECK(three.picture == draw_in(asked, {"--scene", ball, "--emitters", "1"}).picture);
        CHECK(difference(three.picture, unsorted.picture) > 0.004);
    }
}

TEST_CASE("particles of emitters that differ are drawn in one order", "[programs]") {
    for (const std::string scene : {"knot", "galaxy"}) {
        CAPTURE(scene);
        const std::vector<std::string> on_gpu = {"--scene", scene, "--count", "20000", "--emitters", "4"};
        std::vector<std::string> on_cpu = on_gpu;
        on_cpu.insert(on_cpu.end(), {"--keys-on", "cpu"});
        for (const Asked& asked : asked_contexts()) {
            CAPTURE(asked.name);
            // Some keys are so near that roundings decide.
            CHECK(difference(draw_in(asked, on_gpu).picture, draw_in(asked, on_cpu).picture) < 0.001);
        }
        const Asked& usual = asked_contexts().front();
        const Picture four = draw_in(usual, on_gpu).picture;
        CHECK(difference(four, draw_in(usual, {"--scene", scene, "--count", "20000", "--no-sort"}).picture) > 0.02);
        CHECK(difference(four, draw_in(usual, {"--scene", scene, "--count", "20000"}).picture) > 0.02);
    }
}

TEST_CASE("particles leaves out what the camera does not see, and draws the same picture", "[programs]") {
    const std::string scene = GENERATE("knot", "galaxy", "splats");
    const std::string sort_by = GENERATE("depth", "distance");
    CAPTURE(scene, sort_by);
    const std::vector<std::string> near = {"--scene", scene,       "--count", "8000",       "--zoom",
                                           "3.5",     "--sort-by", sort_by,   "--emitters", "3"};
    std::vector<std::string> all = near;
    all.emplace_back("--no-frustum");
    for (const Asked& asked : asked_contexts()) {
        CAPTURE(asked.name);
        const Drawn part = draw_in(asked, near);
        const Drawn whole = draw_in(asked, all);
        CHECK(part.all == 8000);
        CHECK(part.visible > 500);
        CHECK(part.visible < 7900);
        CHECK(whole.visible == 8000);
        CHECK(part.picture == whole.picture);
    }
}

TEST_CASE("particles sees all from afar, and shows the number in its report", "[programs]") {
    const Asked& usual = asked_contexts().front();
    CHECK(draw_in(usual, {"--count", "3000"}).visible == 3000);
    CHECK(draw_in(usual, {"--count", "3000", "--keys-on", "cpu", "--zoom", "4"}).visible < 2500);
    CHECK(draw_in(usual, {"--count", "3000", "--no-sort"}).all == 0);  // Nothing is sorted, so there is no such line.
    // Fewer particles than emitters.
    const Drawn few = draw_in(usual, {"--count", "2", "--emitters", "8"});
    CHECK(few.visible == 2);
    CHECK(few.all == 2);
}
