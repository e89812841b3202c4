// The splats of the program particles, compared with a plain loop over splats and pixels.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <glm/glm.hpp>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "pictures.h"
#include "process.h"
#include "support/memory.h"
#include "support/paths.h"
#include "support/picture.h"
#include "support/random.h"
#include "support/skip.h"

// The program has no library to link with. The reference needs the camera of the program.
#include "particles/camera.cpp"  // NOLINT(bugprone-suspicious-include)

namespace {

using Catch::Matchers::Contains;
using glsort::demo::Camera;
using glsort::demo::Picture;
using glsort::demo::read_png;
using namespace glsort::test;

constexpr int width = 120;
constexpr int height = 90;

// A splat in a file.
struct FileSplat {
    glm::dvec3 position;
    glm::dvec3 log_scale;
    glm::dvec4 rotation;  // w x y z, of any length.
    double logit;
    glm::dvec3 harmonic;
};

std::vector<FileSplat> some_splats(std::uint64_t seed, int n) {
    std::mt19937_64 random(seed);
    const auto uniform = [&random](double low, double high) {
        return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
    };
    std::vector<FileSplat> splats;
    for (int i = 0; i < n; ++i) {
        FileSplat splat;
        splat.position = {uniform(-0.45, 0.45), uniform(-0.3, 0.3), uniform(-0.45, 0.45)};
        splat.log_scale = {std::log(uniform(0.01, 0.14)), std::log(uniform(0.01, 0.08)),
                           std::log(uniform(0.003, 0.03))};
        splat.rotation = {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)};
        splat.logit = uniform(-1, 4);
        splat.harmonic = {uniform(-1.7, 1.7), uniform(-1.7, 1.7), uniform(-1.7, 1.7)};
        splats.push_back(splat);
    }
    // These positions make the bounding box the box to which the program moves splats.
    splats[0].position = {-0.5, -0.3, 0.45};
    splats[1].position = {0.5, 0.3, -0.45};
    return splats;
}

// Writes a file in the form of 3D Gaussian Splatting, with normals and harmonics that no reader uses.
void write_splats(const std::string& path, const std::vector<FileSplat>& splats, bool binary) {
    std::ofstream file(path, std::ios::binary);
    file << "ply\nformat " << (binary ? "binary_little_endian" : "ascii") << " 1.0\nelement vertex " << splats.size()
         << '\n';
    for (const char* name : {"x", "y", "z", "nx", "ny", "nz", "f_dc_0", "f_dc_1", "f_dc_2", "f_rest_0", "opacity",
                             "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"})
        file << "property float " << name << '\n';
    file << "end_header\n";
    for (const FileSplat& s : splats) {
        const std::array<double, 18> row = {s.position.x,
                                            s.position.y,
                                            s.position.z,
                                            0,
                                            0,
                                            0,
                                            s.harmonic.x,
                                            s.harmonic.y,
                                            s.harmonic.z,
                                            0.5,
                                            s.logit,
                                            s.log_scale.x,
                                            s.log_scale.y,
                                            s.log_scale.z,
                                            s.rotation.x,
                                            s.rotation.y,
                                            s.rotation.z,
                                            s.rotation.w};
        for (const double value : row) {
            const auto number = static_cast<float>(value);
            if (binary)
                file.write(reinterpret_cast<const char*>(&number), sizeof number);
            else
                file << fmt::format("{} ", number);
        }
        if (!binary) file << '\n';
    }
}

glm::dmat3 rotation_of(const glm::dvec4& quaternion) {
    const glm::dvec4 q = glm::normalize(quaternion);
    const double w = q.x, x = q.y, y = q.z, z = q.w;
    return glm::transpose(glm::dmat3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                                     2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)));
}

constexpr double aspect = static_cast<double>(width) / height;

std::vector<glm::vec3> positions_of(const std::vector<FileSplat>& splats) {
    const glm::dvec3 turned(1.0, -1.0, -1.0);  // In such files, y points down.
    std::vector<glm::vec3> positions;
    for (const FileSplat& splat : splats)
        positions.push_back(glm::vec3(turned * splat.position));
    return positions;
}

Camera camera_for(const std::vector<glm::vec3>& positions) {
    Camera camera(0.5f, 0.35f);
    camera.frame(positions, 0.05f, static_cast<float>(aspect));
    return camera;
}

// The depth of each splat from the first view, of which the lowest is the farthest.
std::vector<double> depths_of(const std::vector<FileSplat>& splats) {
    const std::vector<glm::vec3> positions = positions_of(splats);
    const glm::dmat4 view(camera_for(positions).view());
    std::vector<double> depths;
    for (const glm::vec3& position : positions)
        depths.push_back((view * glm::dvec4(position, 1)).z);
    return depths;
}

std::vector<std::size_t> back_to_front(const std::vector<double>& depths) {
    std::vector<std::size_t> order(depths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return depths[a] < depths[b]; });
    return order;
}

// Splats whose depths lie so far apart that all roundings give one order.
std::vector<FileSplat> distinct_splats(std::uint64_t seed, int n) {
    for (;; ++seed) {
        std::vector<FileSplat> splats = some_splats(seed, n);
        std::vector<double> depths = depths_of(splats);
        std::sort(depths.begin(), depths.end());
        bool distinct = true;
        for (std::size_t i = 1; i < depths.size(); ++i)
            distinct = distinct && depths[i] - depths[i - 1] > 2e-6;
        if (distinct) return splats;
    }
}

// Colours from 0 to 1, the top row first, over a picture of the background alone.
std::vector<glm::dvec3> reference(const std::vector<FileSplat>& splats, const Picture& background, bool sorted) {
    const std::vector<glm::vec3> positions = positions_of(splats);
    const Camera camera = camera_for(positions);
    const glm::dmat4 view(camera.view());
    const glm::dmat4 projection(camera.projection(static_cast<float>(aspect)));

    std::vector<std::size_t> order(splats.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (sorted) order = back_to_front(depths_of(splats));

    std::vector<glm::dvec3> pixels;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto c = colour_at(background, x, y);
            pixels.push_back(glm::dvec3(c[0], c[1], c[2]) / 255.0);
        }
    for (const std::size_t i : order) {
        const FileSplat& splat = splats[i];
        const glm::dvec4 p = view * glm::dvec4(positions[i], 1);
        const glm::dvec4 clip = projection * p;
        const glm::dvec2 centre{(clip.x / clip.w + 1) * 0.5 * width, (1 - clip.y / clip.w) * 0.5 * height};
        // Sigma' = J W Sigma W^T J^T, in pixels, y down.
        glm::dmat3 flip(1.0);
        flip[1][1] = flip[2][2] = -1.0;
        glm::dmat3 scale(0.0);
        for (int k = 0; k < 3; ++k)
            scale[k][k] = std::exp(splat.log_scale[k]);
        const glm::dmat3 m = glm::dmat3(view) * flip * rotation_of(splat.rotation) * scale;
        const glm::dmat3 sigma = m * glm::transpose(m);
        const double fx = projection[0][0] * 0.5 * width;
        const double fy = projection[1][1] * 0.5 * height;
        const double depth = -p.z;
        const glm::dvec3 jx{fx / depth, 0.0, fx * p.x / (depth * depth)};
        const glm::dvec3 jy{0.0, -fy / depth, -fy * p.y / (depth * depth)};
        const double a = glm::dot(jx, sigma * jx) + 0.3;
        const double b = glm::dot(jx, sigma * jy);
        const double c = glm::dot(jy, sigma * jy) + 0.3;
        const double determinant = a * c - b * b;
        const double opacity = 1 / (1 + std::exp(-splat.logit));
        const glm::dvec3 colour = glm::max(0.5 + 0.28209479177387814 * splat.harmonic, glm::dvec3(0.0));
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const double dx = x + 0.5 - centre.x;
                const double dy = y + 0.5 - centre.y;
                const double power = -0.5 * (c * dx * dx - 2 * b * dx * dy + a * dy * dy) / determinant;
                const double alpha = std::min(0.99, opacity * std::exp(power));
                if (alpha < 1.0 / 255.0) continue;
                glm::dvec3& pixel = pixels[static_cast<std::size_t>(y) * width + x];
                pixel = alpha * colour + (1 - alpha) * pixel;
            }
    }
    return pixels;
}

// The largest and the mean difference, in steps of 1/255.
std::array<double, 2> distance(const Picture& picture, const std::vector<glm::dvec3>& expected) {
    double largest = 0.0;
    double sum = 0.0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const auto c = colour_at(picture, x, y);
            const glm::dvec3 e = expected[static_cast<std::size_t>(y) * width + x];
            for (int i = 0; i < 3; ++i) {
                const double error = std::abs(c[static_cast<std::size_t>(i)] - 255.0 * std::clamp(e[i], 0.0, 1.0));
                largest = std::max(largest, error);
                sum += error;
            }
        }
    return {largest, sum / (3 * width * height)};
}

Result run_splats(const std::string& scene, std::vector<std::string> more) {
    more.insert(more.begin(),
                {"--headless", "--frames", "1", "--scene", scene, "--size", fmt::format("{}x{}", width, height)});
    return run_program(paths::program(PARTICLES_PATH), more);
}

Picture picture_of(const std::string& scene, std::vector<std::string> more = {}) {
    const Folder folder;
    more.insert(more.end(), {"--output", folder.file("splats.png")});
    const Result result = run_splats(scene, more);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return read_png(folder.file("splats.png"));
}

}  // namespace

TEST_CASE("splats are drawn as a loop over splats and pixels draws them", "[programs]") {
    const Seed seed;
    const Folder folder;
    const std::string path = folder.file("splats.ply");
    const std::vector<FileSplat> splats = some_splats(seed.value(), 60);
    write_splats(path, splats, true);
    std::vector<FileSplat> unseen = splats;
    for (FileSplat& splat : unseen)
        splat.logit = -20.0;
    write_splats(folder.file("unseen.ply"), unseen, true);
    const Picture background = picture_of(folder.file("unseen.ply"));

    const std::vector<glm::dvec3> sorted = reference(splats, background, true);
    const std::vector<glm::dvec3> unsorted = reference(splats, background, false);
    const auto is_like = [](const Picture& picture, const std::vector<glm::dvec3>& expected) {
        const auto [largest, mean] = distance(picture, expected);
        CAPTURE(largest, mean);
        CHECK(largest < 3.0);
        CHECK(mean < 0.6);
    };
    const Picture picture = picture_of(path);
    is_like(picture, sorted);
    CHECK(distance(picture, unsorted)[0] > 10.0);  // some pixel tells the orders apart, however few overlap
    CHECK(distance(background, sorted)[1] > 8.0);
    is_like(picture_of(path, {"--no-sort"}), unsorted);
    is_like(picture_of(path, {"--backend", "fragment", "--gl-version", "3.3"}), sorted);
    is_like(picture_of(path, {"--api", "gles", "--gl-version", "3.0", "--backend", "fragment"}), sorted);

    write_splats(path, splats, false);
    CHECK(picture_of(path) == picture);
}

TEST_CASE("splats of three emitters are drawn as a CPU sorts them, pixel by pixel", "[programs]") {
    const Seed seed;
    const Folder folder;
    const std::vector<FileSplat> splats = distinct_splats(seed.value(), 200);
    const std::string path = folder.file("splats.ply");
    write_splats(path, splats, true);
    std::vector<FileSplat> sorted;
    for (const std::size_t i : back_to_front(depths_of(splats)))
        sorted.push_back(splats[i]);
    write_splats(folder.file("sorted.ply"), sorted, true);
    for (const std::vector<std::string>& context :
         std::vector<std::vector<std::string>>{{"--gl-version", "4.5"}, {"--backend", "fragment"}, {"--api", "gles"}}) {
        CAPTURE(context);
        std::vector<std::string> three = context;
        three.insert(three.end(), {"--emitters", "3", "--verify"});
        std::vector<std::string> in_file = context;
        in_file.emplace_back("--no-sort");
        CHECK(picture_of(path, three) == picture_of(folder.file("sorted.ply"), in_file));
        CHECK_FALSE(picture_of(path, three) == picture_of(path, in_file));
    }
}

TEST_CASE("splats are as many as the file has, or fewer", "[programs]") {
    const Folder folder;
    const std::string path = folder.file("splats.ply");
    write_splats(path, some_splats(1, 60), true);
    const Result all = run_splats(path, {"--verify"});
    CHECK(all.code == 0);
    CHECK_THAT(all.out, Contains("60 splats") && Contains("\nverified\n"));
    CHECK_THAT(run_splats(path, {"--count", "7", "--verify"}).out, Contains("7 splats") && Contains("\nverified\n"));
    const Result more = run_splats(path, {"--count", "61"});
    CHECK(more.code == 2);
    CHECK_THAT(more.err, Contains("--count 61: the limit is the 60 splats of " + path));
    CHECK_THAT(run_splats("splats", {"--count", "900", "--verify", "--sort-by", "distance"}).out,
               Contains("900 splats") && Contains("\nverified\n"));
}

TEST_CASE("splats that a file tells wrong are refused with the reason", "[programs]") {
    const Folder folder;
    const std::string path = folder.file("splats.ply");
    const auto refusal = [&path] {
        const Result result = run_splats(path, {});
        CHECK(result.code == 1);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains(path));
        return result.err;
    };
    std::vector<FileSplat> splats = some_splats(1, 5);
    splats[3].rotation = glm::dvec4(0.0);
    write_splats(path, splats, true);
    CHECK_THAT(refusal(), Contains("vertex 3: its rotation is 0"));
    splats = some_splats(1, 5);
    splats[4].logit = NAN;
    write_splats(path, splats, true);
    CHECK_THAT(refusal(), Contains("vertex 4: opacity is not finite"));
    splats = some_splats(1, 5);
    splats[2].log_scale.y = 100;
    write_splats(path, splats, true);
    CHECK_THAT(refusal(), Contains("vertex 2: scale_1 100 exceeds the limit of 40"));
    write_splats(path, {}, true);
    CHECK_THAT(refusal(), Contains("no splats"));
    std::ofstream(path) << "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
                           "property float z\nproperty float scale_0\nend_header\n0 0 0 0\n";
    CHECK_THAT(refusal(), Contains("no property scale_1, scale_2, rot_0"));
}

TEST_CASE("a file of more splats than fit in memory is refused by its header", "[programs]") {
    constexpr std::uint64_t most = 4294967295;
    if (glsort::demo::free_memory() > most * 120) return skip("there is memory for 2^32-1 splats");
    const Folder folder;
    const std::string path = folder.file("splats.ply");
    write_splats(path, {}, true);
    std::string file = read_text(path);
    const std::string none = "element vertex 0";
    file.replace(file.find(none), none.size(), "element vertex " + std::to_string(most));
    std::ofstream(path, std::ios::binary) << file;
    const Result result = run_splats(path, {});
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Contains("--scene " + path + ": ") &&
                               Contains("GiB of the computer's memory are needed; the limit is the"));
}

TEST_CASE("a file of splats never becomes a cloud of points without a word", "[programs]") {
    const Folder folder;
    const std::string path = folder.file("splats.ply");
    write_splats(path, some_splats(1, 5), true);
    const std::string file = read_text(path);
    const auto write = [&](const std::string& first_lines) {
        std::ofstream(path, std::ios::binary) << first_lines << file.substr(4);
    };
    write("ply \n");
    CHECK_THAT(run_splats(path, {}).out, Contains("5 splats"));
    write("ply\ncomment " + std::string(9000, 'x') + "\n");
    CHECK_THAT(run_splats(path, {}).out, Contains("5 splats"));
    write("ply\nelement other many\n");
    const Result broken = run_splats(path, {});
    CHECK(broken.code == 1);
    CHECK_THAT(broken.err, Contains("line 2: \"many\" is no count"));
}
