// The demo program particles, as its users run it.

#include <fmt/format.h>
#include <glsort/sorter.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "pictures.h"
#include "process.h"
#include "support/gif.h"
#include "support/headless_context.h"
#include "support/paths.h"
#include "support/picture.h"
#include "support/software.h"

namespace {

using Catch::Matchers::Contains;
using glsort::demo::Picture;
using glsort::demo::read_png;
using namespace glsort::test;

Result particles(const std::vector<std::string>& arguments, const Environment& environment = {}) {
    return run_program(paths::program(PARTICLES_PATH), arguments, environment);
}

Result headless(std::vector<std::string> arguments, const Environment& environment = {}) {
    arguments.insert(arguments.begin(), "--headless");
    return particles(arguments, environment);
}

// The picture of a run.
Picture picture_of(std::vector<std::string> arguments) {
    const Folder folder;
    const std::string path = folder.file("picture.png");
    arguments.insert(arguments.end(), {"--count", "20000", "--size", "320x180", "--frames", "1", "--output", path});
    const Result result = headless(arguments);
    INFO(result.err);
    REQUIRE(result.code == 0);
    CHECK_THAT(result.out, Contains("picture  " + path + "\n"));
    return read_png(path);
}

// n points on a sphere, as an ASCII PLY file without faces.
void write_sphere(const std::string& path, int n) {
    std::ofstream file(path);
    file << "ply\nformat ascii 1.0\nelement vertex " << n
         << "\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    for (int i = 0; i < n; ++i) {
        const double y = 1.0 - 2.0 * (i + 0.5) / n;
        const double across = std::sqrt(1.0 - y * y);
        file << 70.0 + across * std::cos(2.4 * i) << ' ' << y << ' ' << across * std::sin(2.4 * i) << '\n';
    }
}

}  // namespace

TEST_CASE("particles verifies its order, on every backend and API", "[programs]") {
    struct Run {
        std::vector<std::string> arguments;
        std::string backend;
    };
    const Run run = GENERATE(Run{{"--backend", "fragment"}, "fragment"}, Run{{"--backend", "compute"}, "compute"},
                             Run{{"--backend", "fragment", "--gl-version", "3.3", "--scene", "galaxy"}, "fragment"},
                             Run{{"--api", "gles", "--backend", "fragment", "--gl-version", "3.0"}, "fragment"},
                             Run{{"--api", "gles", "--backend", "compute"}, "compute"},
                             Run{{"--backend", "fragment", "--algorithm", "bitonic"}, "fragment"});
    CAPTURE(run.arguments);
    std::vector<std::string> arguments = {"--verify", "--count", "3001", "--size", "96x64", "--frames", "2"};
    arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
    const Result result = headless(arguments);
    INFO(result.err);
    CHECK(result.code == 0);

    const std::vector<std::string> lines = lines_of(result.out);
    REQUIRE(lines.size() == 6);
    CHECK_THAT(lines[0], Contains("3001 particles of 3 emitters") && Contains("f32"));
    CHECK(lines[1] == "visible  3001 of 3001 in the last frame");
    CHECK_THAT(lines[2], Contains(run.arguments[1] == "gles" ? "OpenGL ES " : "OpenGL "));
    CHECK_THAT(lines[3], Contains(run.backend) && Contains(":"));
    CHECK_THAT(lines[4],
               Contains(" ms per sort") && Contains(" Mitems/s; ") && Contains(" ms per frame (medians of 2 frames)"));
    // A software rasteriser has no clock of its own.
    CHECK((lines[4].find("full clocks") == std::string::npos) == glsort::demo::is_software(lines[2]));
    CHECK(lines[5] == "verified");
}

TEST_CASE("particles takes counts from 1 on, and any size", "[programs]") {
    const std::string count = GENERATE("1", "2", "2^10");
    const std::string size = count == "2" ? "1x1" : "33x17";
    const Result result = headless({"--verify", "--count", count, "--frames", "1", "--size", size});
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK(lines_of(result.out).back() == "verified");
}

TEST_CASE("particles says where it did not verify", "[programs]") {
    const std::vector<std::string> small = {"--count", "100", "--size", "32x32", "--frames", "1"};
    const auto last_line = [&small](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), small.begin(), small.end());
        const Result result = headless(arguments);
        INFO(result.err);
        CHECK(result.code == 0);
        REQUIRE(!result.out.empty());
        return lines_of(result.out).back();
    };
    CHECK(last_line({}) == "not verified (run with --verify)");
    CHECK(last_line({"--no-sort", "--verify"}) == "not verified (nothing was sorted)");
}

TEST_CASE("particles draws a picture that depends on the order", "[programs]") {
    const Picture sorted = picture_of({"--backend", "compute"});
    REQUIRE(sorted.width == 320);
    REQUIRE(sorted.height == 180);

    for (const int x : {0, 319})
        for (const int y : {0, 179}) {
            const auto corner = colour_at(sorted, x, y);
            CAPTURE(x, y);
            CHECK(*std::max_element(corner.begin(), corner.end()) < 40);
        }
    const auto in_the_middle = [&sorted](const std::function<bool(std::array<int, 3>)>& condition) {
        return share(sorted, 50, 10, 270, 170, condition);
    };
    using Colour = std::array<int, 3>;
    // Amber, cyan, magenta, and the colours behind them.
    CHECK(in_the_middle([](Colour c) { return c[0] > c[2] + 60 && c[1] > c[2] + 30; }) > 0.05);
    CHECK(in_the_middle([](Colour c) { return c[2] > c[0] + 40 && c[1] > c[0] + 40; }) > 0.05);
    CHECK(in_the_middle([](Colour c) { return c[0] > c[1] + 60 && c[2] > c[1] + 30; }) > 0.05);
    CHECK(in_the_middle([](Colour c) { return std::max({c[0], c[1], c[2]}) < 50; }) > 0.05);

    CHECK(picture_of({"--backend", "compute"}) == sorted);
    CHECK(picture_of({"--backend", "fragment"}) == sorted);  // The same order, to the last index.
    CHECK(difference(picture_of({"--no-sort"}), sorted) > 0.05);
    CHECK(difference(picture_of({"--api", "gles"}), sorted) < 0.01);
    const Picture other_seed = picture_of({"--seed", "2"});
    CHECK_FALSE(other_seed == sorted);
    CHECK(difference(other_seed, sorted) < 0.2);  // A similar picture.
}

TEST_CASE("particles sorts by depth or by distance, with keys from the GPU or the CPU", "[programs]") {
    const Picture sorted = picture_of({});
    const Picture by_distance = picture_of({"--sort-by", "distance"});
    CHECK_FALSE(by_distance == sorted);
    CHECK(difference(by_distance, sorted) < 0.02);
    for (const std::string scene : {"knot", "galaxy"}) {
        const std::vector<std::string> on_gpu = {"--scene", scene, "--sort-by", "distance"};
        std::vector<std::string> on_cpu = on_gpu;
        on_cpu.insert(on_cpu.end(), {"--keys-on", "cpu", "--verify"});
        CHECK(difference(picture_of(on_cpu), picture_of(on_gpu)) < 0.001);
    }
    const Result result = headless({"--count", "100", "--size", "32x32", "--sort-by", "distance", "--verify"});
    CHECK_THAT(result.out, Contains("distance from the eye") && Contains("\nverified\n"));
}

TEST_CASE("particles splits the picture into a sorted and an unsorted part", "[programs]") {
    const Picture sorted = picture_of({});
    const Picture unsorted = picture_of({"--no-sort"});
    for (const std::string api : {"gl", "gles"}) {
        CAPTURE(api);
        const Picture split = picture_of({"--split", "--api", api});
        const auto middle = [](const Picture& picture, int left, int right) {
            Picture part{right - left, 100, {}};  // Below the labels.
            for (int y = 50; y < 150; ++y)
                for (int x = left; x < right; ++x)
                    for (int i = 0; i < 4; ++i)
                        part.rgba.push_back(picture.rgba[4 * (y * picture.width + x) + i]);
            return part;
        };
        CHECK(difference(middle(split, 0, 150), middle(sorted, 0, 150)) < 0.01);
        CHECK(difference(middle(split, 170, 320), middle(unsorted, 170, 320)) < 0.01);
        CHECK(difference(middle(split, 170, 320), middle(sorted, 170, 320)) > 0.05);
        const auto white = [](std::array<int, 3> c) { return *std::min_element(c.begin(), c.end()) > 200; };
        CHECK(share(split, 159, 0, 161, 180, white) == 1.0);
    }
}

TEST_CASE("particles shows its panel in pictures where it is asked to", "[programs]") {
    const Folder folder;
    const std::string path = folder.file("panel.png");
    const auto run = [&path](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"--count", "2000", "--frames", "2", "--output", path};
        arguments.insert(arguments.end(), more.begin(), more.end());
        REQUIRE(headless(arguments).code == 0);
        return read_png(path);
    };
    const auto panel = [](std::array<int, 3> c) { return c == std::array<int, 3>{23, 26, 31}; };
    const auto plot = [](std::array<int, 3> c) { return c[0] == 230 && c[1] == 159 && c[2] == 0; };
    const Picture with = run({"--size", "800x450", "--panels"});
    CHECK(share(with, 0, 0, 330, 450, panel) > 0.5);
    CHECK(share(with, 0, 0, 330, 450, plot) > 0.0);  // Of the times of sorts.
    CHECK(share(with, 330, 0, 800, 450, panel) < 0.01);
    const auto bright = [](std::array<int, 3> c) { return std::max({c[0], c[1], c[2]}) > 60; };
    CHECK(share(with, 330, 0, 800, 450, bright) > 0.1);
    CHECK(share(run({"--size", "800x450"}), 0, 0, 330, 450, panel) < 0.01);
    CHECK(share(run({"--size", "1600x700", "--panels", "--scale", "2"}), 0, 0, 660, 700, panel) > 0.5);
    // A small window has no room for the panel.
    CHECK(share(run({"--size", "400x300", "--panels"}), 0, 0, 330, 300, panel) < 0.01);
}

TEST_CASE("particles moves", "[programs]") {
    CHECK(difference(picture_of({}), picture_of({"--frames", "30"})) == 0.0);  // The last option counts.
    const Folder folder;
    std::vector<Picture> pictures;
    for (const std::string frames : {"1", "20"}) {
        const std::string path = folder.file(frames + ".png");
        REQUIRE(headless({"--count", "5000", "--size", "160x90", "--frames", frames, "--output", path}).code == 0);
        pictures.push_back(read_png(path));
    }
    CHECK(difference(pictures[0], pictures[1]) > 0.02);
}

TEST_CASE("particles shows the points of a file", "[programs]") {
    const Folder folder;
    const std::string scene = folder.file("sphere.ply");
    const std::string path = folder.file("sphere.png");
    write_sphere(scene, 700);
    const auto run = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"--scene", scene,     "--verify", "--frames", "1",
                                              "--size",  "160x120", "--output", path};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Result result = headless(arguments);
        INFO(result.err);
        CHECK(result.code == 0);
        REQUIRE(!result.out.empty());
        CHECK(lines_of(result.out).back() == "verified");
        return lines_of(result.out).front();
    };
    CHECK_THAT(run({"--count", "200"}), Contains("200 particles"));
    CHECK_THAT(run({"--count", "1500"}), Contains("1500 particles"));
    CHECK_THAT(run({}), Contains("700 particles"));

    // The camera fits the sphere: a disc fills the height, and the corners stay dark.
    const Picture picture = read_png(path);
    const auto bright = [](std::array<int, 3> c) { return std::max({c[0], c[1], c[2]}) > 60; };
    CHECK(share(picture, 40, 20, 120, 100, bright) > 0.85);
    CHECK(share(picture, 0, 0, 160, 15, bright) > 0.01);
    CHECK(share(picture, 0, 105, 160, 120, bright) > 0.01);
    CHECK(share(picture, 0, 0, 20, 120, bright) == 0.0);
    CHECK(share(picture, 140, 0, 160, 120, bright) == 0.0);
}

// The corners of a cube, and its faces.
std::string cube() {
    std::string text =
        "ply\nformat ascii 1.0\nelement vertex 9\nproperty float x\nproperty float y\nproperty float z\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 6\n"
        "property list uchar int vertex_indices\nend_header\n";
    for (int i = 0; i < 8; ++i)
        text += fmt::format("{} {} {} 0 255 0\n", i >> 2, i >> 1 & 1, i & 1);
    return text + "0.5 0.5 0.5 255 0 0\n" + "4 0 1 3 2\n4 4 6 7 5\n4 0 4 5 1\n4 2 3 7 6\n4 0 2 6 4\n4 1 5 7 3\n";
}

TEST_CASE("particles shows a mesh by its faces, in its colours", "[programs]") {
    const Folder folder;
    const std::string mesh = folder.file("cube.ply");
    const std::string path = folder.file("cube.png");
    std::ofstream(mesh) << cube();
    const auto check = [&](const Result& result, const std::string& what) {
        INFO(result.err);
        REQUIRE(result.code == 0);
        CHECK_THAT(result.out, Contains(what));
        // A message mentions the point in the middle, which belongs to no face.
        CHECK_THAT(result.err, Contains("1 of 9 points belong to no face"));
        const Picture picture = read_png(path);
        const auto green = [](std::array<int, 3> c) { return c[1] > 60 && c[1] > 2 * c[0] && c[1] > 2 * c[2]; };
        CHECK(share(picture, 60, 40, 100, 80, green) > 0.9);
    };
    const std::vector<std::string> small = {"--frames", "1", "--size", "160x120", "--output", path, "--scene"};
    std::vector<std::string> arguments = small;
    arguments.push_back(mesh);
    check(headless(arguments), "200000 particles");
    // From standard input, and from a named pipe.
    const std::string program = "'" + paths::program(PARTICLES_PATH) +
                                "' --headless --frames 1 --size 160x120 --output '" + path + "' --count 50000 --scene ";
    check(run_program("sh", {"-c", "cat '" + mesh + "' | " + program + "-"}), "50000 particles");
    const std::string pipe = folder.file("pipe");
    check(run_program("sh", {"-c", "mkfifo '" + pipe + "'; cat '" + mesh + "' >'" + pipe + "' & " + program + "'" +
                                       pipe + "'"}),
          "50000 particles");
}

TEST_CASE("particles writes all frames, and pictures to standard output", "[programs]") {
    const Folder folder;
    const std::vector<std::string> small = {"--count", "500", "--frames", "3", "--size", "64x48", "--output"};
    const auto run = [&small](const std::string& output) {
        std::vector<std::string> arguments = small;
        arguments.push_back(output);
        Result result = headless(arguments);
        INFO(result.err);
        CHECK(result.code == 0);
        return result;
    };
    run(folder.file("last.png"));
    run(folder.file("all"));
    run(folder.file("all.gif"));
    CHECK(read_png(folder.file("last.png")) == read_png(folder.file("all/0002.png")));
    CHECK(glsort::demo::read_gif(folder.file("all.gif")).size() == 3);
    const Result piped = run("-");
    CHECK(piped.out == read_text(folder.file("all.gif")));
    CHECK_THAT(piped.err, Contains("500 particles") && Contains("not verified"));
}

TEST_CASE("particles refuses wrong arguments", "[programs]") {
    struct Mistake {
        std::vector<std::string> arguments;
        std::string message;
    };
    const std::vector<Mistake> mistakes = {
        {{"--count", "0"}, "0 is not from 1 to 2^26"},
        {{"--count", "2^27"}, "--count 2^27: the limit is 2^26"},
        {{"--count", "many"}, "\"many\""},
        {{"--count"}, "--count"},
        {{"--size", "1280"}, "WIDTHxHEIGHT"},
        {{"--size", "0x720"}, "0x720 is not from 1x1 to 32768x32768"},
        {{"--size", "-1x720"}, "-1x720 is not from 1x1"},
        {{"--size", "1280x720x3"}, "WIDTHxHEIGHT"},
        {{"--size", "32768x16384", "--output", "/tmp/large.png"},
         "--size 32768x16384: the limit is 16383 rows of this width in a PNG file"},
        {{"--frames", "0"}, "0 is not from 1"},
        {{"--seed", "-1"}, "\"-1\""},
        {{"--backend", "cuda"}, "cuda"},
        {{"--backend", "cpu"}, "choose automatic, fragment or compute"},
        {{"--algorithm", "bogo"}, "bogo"},
        {{"--algorithm", "radix", "--backend", "fragment"}, "does not run on the fragment backend"},
        {{"--algorithm", "abisort"}, "--algorithm: abisort:fused takes no count on the GPU; merge, radix"},
        {{"--emitters", "0"}, "0 is not from 1 to 8"},
        {{"--emitters", "9"}, "--emitters 9: the limit is 8"},
        {{"--emitters", "-3"}, "\"-3\""},
        {{"--zoom", "0"}, "\"0\" is not a zoom from 0.1 to 20"},
        {{"--zoom", "near"}, "\"near\" is not a zoom"},
        {{"--api", "vulkan"}, "gl, gles"},
        {{"--gl-version", "three"}, "\"three\""},
        {{"--gl-version", "3.2"}, "OpenGL 3.3 is the least"},
        {{"--gl-version", "0.0"}, "--gl-version: 0.0 is too old: OpenGL 3.3 is the least"},
        {{"--api", "gles", "--gl-version", "2.0"}, "OpenGL ES 3.0 is the least"},
        {{"--scene", "galxy"}, "\"galxy\" is neither a file nor one of: knot"},
        {{"--output", "picture.jpg"}, "picture.jpg: pictures are .png or .gif files"},
        {{"--output", ""}, "--output: the name is empty"},
        {{"--scene", "galxy"}, "did you mean galaxy?"},
        {{"--sort-by", "size"}, "depth"},
        {{"--keys-on", "fpga"}, "gpu"},
        {{"--scale", "5"}, "\"5\" is not a scale from 0.5 to 4"},
        {{"--colour", "blue"}, "--colour"},
        {{"--sort=99999999999999999999"}, "the value 99999999999999999999 of a flag is neither true nor false"},
        {{"--sort=5"}, "the value 5 of a flag"},
        {{"--no-sort=99999999999999999999"}, "--no-sort"},
        {{"picture.png"}, "picture.png"},
    };
    for (const Mistake& mistake : mistakes) {
        const Result result = headless(mistake.arguments);
        CAPTURE(mistake.arguments);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Catch::Matchers::StartsWith("particles: "));
        CHECK_THAT(result.err, Contains(mistake.message) && Contains("--help"));
    }
}

TEST_CASE("particles says what it cannot do", "[programs]") {
    const Folder folder;
    const std::string text = folder.file("text.ply");
    std::ofstream(text) << "no scan\n";
    const Environment no_display = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}};
    const auto message = [](const Result& result) {
        CHECK(result.code == 1);
        CHECK(result.out.empty());
        return result.err;
    };
    CHECK_THAT(message(particles({}, no_display)),
               Contains("no display") && Contains("--headless") && !Contains("press H"));
    CHECK_THAT(message(headless({"--scene", text})), Contains(text));
    CHECK_THAT(message(headless({"--gl-version", "9.9"})), Contains("OpenGL 9.9"));
    const auto refusal = [](const Result& result) {
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        return result.err;
    };
    CHECK_THAT(refusal(headless({"--size", "16000x16000", "--frames", "1000000", "--count", "1", "--output",
                                 folder.file("large.gif")})),
               Contains("--frames 1000000 --size 16000x16000: ") && Contains("memory are needed; the limit is"));
    // The limit of the driver may be lower than the limit of the option.
    const glsort::demo::HeadlessContext context({.major = 3, .minor = 3});
    if (glsort::describe_context(glsort::demo::HeadlessContext::get_proc_address()).limits.texture_size < 32768)
        CHECK_THAT(refusal(headless({"--size", "32768x32768", "--count", "1"})),
                   Contains("--size 32768x32768: the limit is ") && Contains(" pixels"));
}

TEST_CASE("particles explains its options, and the last of two wins", "[programs]") {
    const Result help = particles({"--help"});
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    for (const std::string option :
         {"--count",        "--scene",  "--seed",     "--backend",    "--algorithm", "--no-sort",
          "--verify",       "--frames", "--headless", "--size",       "--output",    "--api",
          "--gl-version",   "--split",  "--sort-by",  "--keys-on",    "--panels",    "--scale",
          "In the window:", "SHIFT A",  "--emitters", "--no-frustum", "--zoom"})
        CHECK_THAT(help.out, Contains(option));
    CHECK_THAT(help.out, Contains("(default: 1280x720)") && Contains("200000"));
    CHECK_THAT(help.out, !Contains("{"));

    const Result result =
        headless({"--window", "--headless", "--count", "10", "--count", "11", "--size", "9x9", "--size", "32x32",
                  "--verify", "--no-verify", "--no-sort", "--sort", "--frames", "2", "--frames", "1"});
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("11 particles") && Contains("per sort") && Contains("of 1 frame") &&
                               Contains("not verified (run"));
}
