// The demo program particles, run as its users run it.

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "support/picture.h"

// The program is no library, and its check must be seen to fail.
#include "particles/verify.cpp"

namespace {

using Catch::Matchers::Contains;
using glsort::demo::check_order;
using glsort::demo::Picture;
using glsort::demo::read_png;
using Environment = std::map<std::string, std::string>;  // an empty value: not set

// A new folder, removed with its content at the end.
class Folder {
  public:
    Folder() {
        static int made = 0;
        path_ = std::filesystem::temp_directory_path() /
                fmt::format("glsort-particles-test-{}-{}", getpid(), made++);
        std::filesystem::create_directories(path_);
    }
    ~Folder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string file(const std::string& name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

std::string read_text(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

// A program that is running; killed at the end if it still is.
class Process {
  public:
    Process(const std::string& program, std::vector<std::string> arguments,
            const Environment& environment, const std::string& out, const std::string& err) {
        arguments.insert(arguments.begin(), program);
        std::vector<char*> argv;
        for (std::string& argument : arguments)
            argv.push_back(argument.data());
        argv.push_back(nullptr);
        pid_ = fork();
        if (pid_ != 0) return;
        redirect("/dev/null", O_RDONLY, STDIN_FILENO);
        redirect(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
        redirect(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
        for (const auto& [name, value] : environment) {
            if (value.empty())
                unsetenv(name.c_str());
            else
                setenv(name.c_str(), value.c_str(), 1);
        }
        execvp(argv[0], argv.data());
        _exit(127);
    }
    ~Process() {
        if (pid_ <= 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // The exit code; 128 + the signal where one ended it; -1 where it is still running in the end.
    int wait(std::chrono::seconds limit) {
        const auto end = std::chrono::steady_clock::now() + limit;
        int status = 0;
        while (waitpid(pid_, &status, WNOHANG) == 0) {
            if (std::chrono::steady_clock::now() > end) return -1;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    void terminate() { kill(pid_, SIGTERM); }

  private:
    static void redirect(const char* path, int flags, int descriptor) {
        const int opened = open(path, flags, 0644);
        if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
        if (opened != descriptor) close(opened);
    }

    pid_t pid_ = -1;
};

struct Result {
    int code = 0;
    std::string out;
    std::string err;
};

Result run_program(const std::string& program, const std::vector<std::string>& arguments,
                   const Environment& environment = {}) {
    const Folder folder;
    Process process(program, arguments, environment, folder.file("out"), folder.file("err"));
    const int code = process.wait(std::chrono::seconds(300));
    return {code, read_text(folder.file("out")), read_text(folder.file("err"))};
}

Result particles(const std::vector<std::string>& arguments, const Environment& environment = {}) {
    return run_program(PARTICLES_PATH, arguments, environment);
}

Result headless(std::vector<std::string> arguments, const Environment& environment = {}) {
    arguments.insert(arguments.begin(), "--headless");
    return particles(arguments, environment);
}

// The picture of a run.
Picture picture_of(std::vector<std::string> arguments) {
    const Folder folder;
    const std::string path = folder.file("picture.png");
    arguments.insert(arguments.end(), {"--count", "20000", "--size", "320x180", "--frames", "1",
                                       "--screenshot", path});
    const Result result = headless(arguments);
    INFO(result.err);
    REQUIRE(result.code == 0);
    CHECK_THAT(result.out, Contains("picture  " + path + "\n"));
    return read_png(path);
}

std::array<int, 3> colour_at(const Picture& picture, int x, int y) {
    const std::size_t at = 4 * (static_cast<std::size_t>(y) * picture.width + x);
    return {picture.rgba[at], picture.rgba[at + 1], picture.rgba[at + 2]};
}

// The share of the pixels of a rectangle that satisfy a condition.
double share(const Picture& picture, int left, int top, int right, int bottom,
             const std::function<bool(std::array<int, 3>)>& condition) {
    int found = 0;
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x)
            found += condition(colour_at(picture, x, y)) ? 1 : 0;
    return static_cast<double>(found) / ((right - left) * (bottom - top));
}

// The share of pixels that differ plainly.
double difference(const Picture& a, const Picture& b) {
    REQUIRE(a.width == b.width);
    REQUIRE(a.height == b.height);
    int found = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) {
            const auto p = colour_at(a, x, y);
            const auto q = colour_at(b, x, y);
            int most = 0;
            for (int i = 0; i < 3; ++i)
                most = std::max(most, std::abs(p[i] - q[i]));
            found += most > 40 ? 1 : 0;
        }
    return static_cast<double>(found) / (a.width * a.height);
}

// n points on a sphere, as an ASCII PLY file without faces.
void write_sphere(const std::string& path, int n) {
    std::ofstream file(path);
    file << "ply\nformat ascii 1.0\nelement vertex " << n
         << "\nproperty float x\nproperty float y\nproperty float z\nend_header\n";
    for (int i = 0; i < n; ++i) {
        const double y = 1.0 - 2.0 * (i + 0.5) / n;
        const double across = std::sqrt(1.0 - y * y);
        file << 70.0 + across * std::cos(2.4 * i) << ' ' << y << ' ' << across * std::sin(2.4 * i)
             << '\n';
    }
}

}  // namespace

TEST_CASE("particles verifies its order, on every backend and API", "[programs]") {
    struct Run {
        std::vector<std::string> arguments;
        std::string backend;
    };
    const Run run = GENERATE(
        Run{{"--backend", "fragment"}, "fragment"}, Run{{"--backend", "compute"}, "compute"},
        Run{{"--backend", "fragment", "--gl-version", "3.3", "--scene", "galaxy"}, "fragment"},
        Run{{"--api", "gles", "--backend", "fragment", "--gl-version", "3.0"}, "fragment"},
        Run{{"--api", "gles", "--backend", "compute"}, "compute"},
        Run{{"--backend", "fragment", "--algorithm", "bitonic"}, "fragment"});
    CAPTURE(run.arguments);
    std::vector<std::string> arguments = {"--verify", "--count",  "3001", "--size",
                                          "96x64",    "--frames", "2"};
    arguments.insert(arguments.end(), run.arguments.begin(), run.arguments.end());
    const Result result = headless(arguments);
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Contains("frame 1 of 2"));

    const std::vector<std::string> lines = lines_of(result.out);
    REQUIRE(lines.size() == 5);
    CHECK_THAT(lines[0], Contains("3001 particles") && Contains("f32"));
    CHECK_THAT(lines[1], Contains(run.arguments[1] == "gles" ? "OpenGL ES " : "OpenGL "));
    CHECK_THAT(lines[2], Contains(run.backend) && Contains(":"));
    CHECK_THAT(lines[3], Contains(" ms per sort, ") && Contains(" Mitems/s; ") &&
                             Contains(" ms per frame (medians of 2 frames)"));
    CHECK(lines[4] == "verified");
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

TEST_CASE("The order's check finds what is wrong", "[programs]") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> keys = {2.0f, -1.0f, 2.0f, nan, -0.0f, 0.0f, -5.5f};
    CHECK(check_order(keys, {6, 1, 4, 5, 0, 2, 3}).empty());
    CHECK_THAT(check_order(keys, {6, 1, 5, 4, 0, 2, 3}), Contains("position 2 "));  // -0 < +0
    CHECK_THAT(check_order(keys, {6, 1, 4, 5, 2, 0, 3}), Contains("position 4 "));  // not stable
    CHECK_THAT(check_order(keys, {6, 1, 4, 5, 0, 3, 2}), Contains("position 5 "));
    CHECK_THAT(check_order(keys, {6, 1, 4, 5, 0, 2, 6}),
               Contains("no permutation") && Contains("index 6") && Contains("0 and 6"));
    CHECK_THAT(check_order(keys, {6, 1, 4, 5, 0, 2, 7}), Contains("no permutation"));
    CHECK_THAT(check_order(keys, {6, 1, 4}), Contains("3 indices for 7 keys"));
    CHECK(check_order({}, {}).empty());
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
    // Amber, cyan, magenta, and what is behind them.
    CHECK(in_the_middle([](Colour c) { return c[0] > c[2] + 60 && c[1] > c[2] + 30; }) > 0.05);
    CHECK(in_the_middle([](Colour c) { return c[2] > c[0] + 40 && c[1] > c[0] + 40; }) > 0.05);
    CHECK(in_the_middle([](Colour c) { return c[0] > c[1] + 60 && c[2] > c[1] + 30; }) > 0.05);
    CHECK(in_the_middle([](Colour c) { return std::max({c[0], c[1], c[2]}) < 50; }) > 0.05);

    CHECK(picture_of({"--backend", "compute"}) == sorted);
    CHECK(picture_of({"--backend", "fragment"}) == sorted);  // the same order, to the last index
    CHECK(difference(picture_of({"--no-sort"}), sorted) > 0.05);
    CHECK(difference(picture_of({"--api", "gles"}), sorted) < 0.01);
    const Picture other_seed = picture_of({"--seed", "2"});
    CHECK_FALSE(other_seed == sorted);
    CHECK(difference(other_seed, sorted) < 0.2);  // the same thing all the same
}

TEST_CASE("particles moves", "[programs]") {
    CHECK(difference(picture_of({}), picture_of({"--frames", "30"})) == 0.0);  // the last one wins
    const Folder folder;
    std::vector<Picture> pictures;
    for (const std::string frames : {"1", "20"}) {
        const std::string path = folder.file(frames + ".png");
        REQUIRE(headless({"--count", "5000", "--size", "160x90", "--frames", frames, "--screenshot",
                          path})
                    .code == 0);
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
        std::vector<std::string> arguments = {"--scene", scene,     "--verify",     "--frames", "1",
                                              "--size",  "160x120", "--screenshot", path};
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

    // The camera frames it: a disc that fills the height, and leaves the corners dark.
    const Picture picture = read_png(path);
    const auto bright = [](std::array<int, 3> c) { return std::max({c[0], c[1], c[2]}) > 60; };
    CHECK(share(picture, 40, 20, 120, 100, bright) > 0.85);
    CHECK(share(picture, 0, 0, 160, 15, bright) > 0.01);
    CHECK(share(picture, 0, 105, 160, 120, bright) > 0.01);
    CHECK(share(picture, 0, 0, 20, 120, bright) == 0.0);
    CHECK(share(picture, 140, 0, 160, 120, bright) == 0.0);
}

TEST_CASE("particles refuses wrong arguments", "[programs]") {
    struct Mistake {
        std::vector<std::string> arguments;
        std::string message;
    };
    const std::vector<Mistake> mistakes = {
        {{"--count", "0"}, "0 is not from 1 to 67108864"},
        {{"--count", "2^27"}, "2^27 is not from 1 to 67108864"},
        {{"--count", "many"}, "\"many\""},
        {{"--count"}, "--count"},
        {{"--size", "1280"}, "WIDTHxHEIGHT"},
        {{"--size", "0x720"}, "WIDTHxHEIGHT"},
        {{"--size", "-1x720"}, "WIDTHxHEIGHT"},
        {{"--size", "1280x720x3"}, "WIDTHxHEIGHT"},
        {{"--frames", "0"}, "0 is not from 1"},
        {{"--seed", "-1"}, "\"-1\""},
        {{"--backend", "cuda"}, "cuda"},
        {{"--backend", "cpu"}, "choose automatic, fragment or compute"},
        {{"--algorithm", "bogo"}, "bogo"},
        {{"--api", "vulkan"}, "gl or gles"},
        {{"--gl-version", "three"}, "\"three\""},
        {{"--gl-version", "3.2"}, "OpenGL 3.3 is the least"},
        {{"--api", "gles", "--gl-version", "2.0"}, "OpenGL ES 3.0 is the least"},
        {{"--scene", "/no/such/scene.ply"}, "\"/no/such/scene.ply\""},
        {{"--screenshot", "/no/such/folder/picture.png"}, "/no/such/folder"},
        {{"--colour", "blue"}, "--colour"},
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
               Contains("no display") && Contains("--headless"));
    CHECK_THAT(message(headless({"--scene", text})), Contains(text));
    CHECK_THAT(message(headless({"--gl-version", "9.9"})), Contains("OpenGL 9.9"));
    CHECK_THAT(message(headless({"--size", "32768x32768", "--count", "1"})),
               Contains("32768x32768") && Contains("limit"));
}

TEST_CASE("particles explains its options, and the last of two wins", "[programs]") {
    const Result help = particles({"--help"});
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    for (const std::string option :
         {"--count", "--scene", "--seed", "--backend", "--algorithm", "--no-sort", "--verify",
          "--frames", "--headless", "--size", "--screenshot", "--api", "--gl-version"})
        CHECK_THAT(help.out, Contains(option));
    CHECK_THAT(help.out, Contains("Default: 1280x720") && Contains("200000"));
    CHECK_THAT(help.out, !Contains("{"));

    const Result result = headless({"--window", "--headless", "--count", "10", "--count", "11",
                                    "--size", "9x9", "--size", "32x32", "--verify", "--no-verify",
                                    "--no-sort", "--sort", "--frames", "2", "--frames", "1"});
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.out, Contains("11 particles") && Contains("per sort") &&
                               Contains("of 1 frame") && Contains("not verified (run"));
}

namespace {

bool is_installed(const std::string& program) {
    return run_program("sh", {"-c", "command -v " + program}).code == 0;
}

// An X server without a screen to look at, on a display number that was free.
class Display {
  public:
    Display()
        // It writes its number once it is ready.
        : server_("Xvfb", {"-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"}, {},
                  folder_.file("number"), folder_.file("err")) {
        for (int i = 0; i < 2000 && number_.find('\n') == std::string::npos; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            number_ = read_text(folder_.file("number"));
        }
        INFO(read_text(folder_.file("err")));
        REQUIRE(number_.find('\n') != std::string::npos);
        number_.pop_back();
    }
    ~Display() {
        server_.terminate();  // so that it removes its lock
        server_.wait(std::chrono::seconds(5));
    }
    Environment environment() const {
        return {{"DISPLAY", ":" + number_}, {"WAYLAND_DISPLAY", ""}};
    }

  private:
    Folder folder_;
    Process server_;
    std::string number_;
};

}  // namespace

TEST_CASE("particles opens a window", "[programs]") {
    if (!is_installed("Xvfb")) {
        WARN("left out: Xvfb is not installed");
        return;
    }
    const Display display;
    const Folder folder;

    for (const std::string api : {"gl", "gles"}) {
        CAPTURE(api);
        const std::string path = folder.file(api + ".png");
        const Result result = particles({"--api", api, "--frames", "3", "--count", "5000", "--size",
                                         "300x200", "--verify", "--screenshot", path},
                                        display.environment());
        INFO(result.err);
        CHECK(result.code == 0);
        CHECK_THAT(result.out, Contains("5000 particles") && Contains("medians of 3 frames"));
        CHECK(lines_of(result.out).back() == "verified");
        const Picture picture = read_png(path);
        CHECK(picture.width == 300);
        CHECK(picture.height == 200);
        const auto bright = [](std::array<int, 3> c) { return std::max({c[0], c[1], c[2]}) > 60; };
        CHECK(share(picture, 0, 0, 300, 200, bright) > 0.1);
    }

    if (!is_installed("xdotool")) {
        WARN("keys left out: xdotool is not installed");
        return;
    }
    Process process(PARTICLES_PATH, {"--count", "2000", "--size", "200x150"}, display.environment(),
                    folder.file("out"), folder.file("err"));
    const auto xdotool = [&display](const std::vector<std::string>& arguments) {
        return run_program("xdotool", arguments, display.environment());
    };
    const auto title = [&xdotool] {
        return xdotool({"search", "--name", "particles", "getwindowname"}).out;
    };
    const auto title_becomes = [&title](const std::string& text) {
        std::string last;
        for (int i = 0; i < 400 && last.find(text) == std::string::npos; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            last = title();
        }
        INFO("title: " << last);
        CHECK_THAT(last, Contains(text));
    };
    const auto press = [&xdotool](const std::string& key) {
        CHECK(xdotool({"search", "--name", "particles", "key", key}).code == 0);
    };
    title_becomes(" ms, sorted");
    CHECK_THAT(title(), Contains("2000 particles, ") && Contains(":"));
    press("s");
    title_becomes(", UNSORTED");
    press("space");
    press("s");
    title_becomes(" ms, sorted");
    press("h");
    xdotool({"search", "--name", "particles", "key", "Escape"});  // may outlive the window
    CHECK(process.wait(std::chrono::seconds(20)) == 0);
    CHECK_THAT(read_text(folder.file("out")),
               Contains("ESC ") && Contains("2000 particles") && Contains("not verified"));
}
