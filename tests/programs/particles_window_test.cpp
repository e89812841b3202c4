// The demo program particles in a window, with keys and a mouse.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "display.h"
#include "pictures.h"
#include "process.h"
#include "support/paths.h"
#include "support/picture.h"
#include "support/skip.h"

namespace {

using Catch::Matchers::Contains;
using glsort::demo::Picture;
using glsort::demo::read_png;
using namespace glsort::test;

constexpr int panel_width = 330;

bool is_bright(Pixel c) {
    return std::max({c[0], c[1], c[2]}) > 60;
}

// A user of a window with sorted points.
class Visitor : public User {
  public:
    explicit Visitor(const std::vector<std::string>& arguments)
        : User("particles", "p", paths::program(PARTICLES_PATH), arguments) {
        title_becomes(" ms, sorted");
    }
};

// A part of a picture.
Picture part(const Picture& picture, int left, int top, int right, int bottom) {
    Picture result{right - left, bottom - top, {}};
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x)
            for (int i = 0; i < 4; ++i)
                result.rgba.push_back(picture.rgba[4 * (static_cast<std::size_t>(y) * picture.width + x) + i]);
    return result;
}

// The picture without the panel.
Picture scene(const Picture& picture) {
    return part(picture, panel_width, 0, picture.width, picture.height);
}

// The columns that are white from top to bottom.
std::vector<int> lines(const Picture& picture) {
    std::vector<int> found;
    const auto white = [](Pixel c) { return *std::min_element(c.begin(), c.end()) > 200; };
    for (int x = panel_width; x < picture.width; ++x)
        if (share(picture, x, 50, x + 1, picture.height, white) == 1.0) found.push_back(x);
    return found;
}

// The middle of all pixels of a colour in the panel.
std::array<int, 2> find_in_panel(const Picture& picture, Pixel colour, int top, int bottom) {
    int sum_x = 0;
    int sum_y = 0;
    int n = 0;
    for (int y = top; y < bottom; ++y)
        for (int x = 0; x < panel_width; ++x)
            if (colour_at(picture, x, y) == colour) {
                sum_x += x;
                sum_y += y;
                ++n;
            }
    REQUIRE(n > 0);
    return {sum_x / n, sum_y / n};
}

}  // namespace

TEST_CASE("particles opens a window", "[programs]") {
    if (!is_installed("Xvfb")) return skip("Xvfb is not installed");
    const Display display;
    const Folder folder;
    for (const std::string api : {"gl", "gles"}) {
        CAPTURE(api);
        const std::string path = folder.file(api + ".png");
        const Result result = run_program(
            paths::program(PARTICLES_PATH),
            {"--api", api, "--frames", "3", "--count", "5000", "--size", "300x200", "--verify", "--output", path},
            display.environment());
        INFO(result.err);
        CHECK(result.code == 0);
        CHECK_THAT(result.out, Contains("5000 particles") && Contains("medians of 3 frames"));
        CHECK(lines_of(result.out).back() == "verified");
        const Picture picture = read_png(path);
        CHECK(picture.width == 300);
        CHECK(picture.height == 200);
        CHECK(share(picture, 0, 0, 300, 200, is_bright) > 0.1);
    }
    // A window writes one picture, however many frames it shows.
    const Result piped =
        run_program(paths::program(PARTICLES_PATH),
                    {"--frames", "2", "--count", "500", "--size", "300x200", "--output", "-"}, display.environment());
    INFO(piped.err);
    CHECK(piped.code == 0);
    CHECK(piped.out.starts_with("\x89PNG"));
    CHECK_THAT(piped.err, Contains("500 particles") && Contains("medians of 2 frames"));
}

TEST_CASE("particles obeys keys, on OpenGL ES too, where there is no panel", "[programs]") {
    if (const std::string missing = missing_for_windows(); !missing.empty()) return skip(missing + " is not installed");
    Visitor user({"--api", "gles", "--count", "2000", "--size", "200x150"});
    CHECK_THAT(user.err(), Contains("no panel"));
    CHECK_THAT(user.title(), Contains("2000 particles, ") && Contains(":") && Contains(", 2000 visible, "));
    user.press({"s"});
    user.title_becomes(", UNSORTED");
    user.press({"space", "s"});
    user.title_becomes(" ms, sorted");
    const Picture before = user.picture();
    user.press({"x"});
    user.title_becomes("sorted on the left");
    REQUIRE(user.shows([&](const Picture& now) { return difference(now, before) > 0.02; }));
    user.press({"x", "b"});
    user.title_becomes("fragment ");
    REQUIRE(user.shows([&](const Picture& now) { return now == before; }));
    user.press({"plus"});
    user.title_becomes("4000 particles");
    user.press({"minus"});
    user.title_becomes("2000 particles");
    REQUIRE(user.shows([&](const Picture& now) { return now == before; }));
    user.press({"e"});
    REQUIRE(user.shows([&](const Picture& now) { return difference(now, before) > 0.02; }));
    user.press({"shift+e", "f"});
    REQUIRE(user.shows([&](const Picture& now) { return now == before; }));
    user.press({"h", "Escape"});
    CHECK(user.wait() == 0);
    CHECK_THAT(user.out(),
               Contains("ESC ") && Contains("2000 particles") && Contains("not verified (run with --verify)"));
}

TEST_CASE("particles changes how it sorts from its panel, and by keys", "[programs]") {
    if (const std::string missing = missing_for_windows(); !missing.empty()) return skip(missing + " is not installed");
    Visitor user({"--count", "2000", "--size", "660x360", "--panels"});
    user.press({"space", "r"});
    const Picture sorted = user.picture();
    CHECK(sorted.width == 660);
    CHECK(share(sorted, panel_width, 0, 660, 360, is_bright) > 0.1);
    CHECK(lines(sorted).empty());

    // The line is in the middle. The picture to the left of the line stays, and a drag moves the line.
    user.press({"x"});
    user.title_becomes("sorted on the left");
    const Picture split = user.picture();
    const int middle = (panel_width + 660) / 2;
    CHECK(lines(split) == std::vector<int>{middle - 1, middle});
    const int left = middle - 20;
    const int right = middle + 20;
    CHECK(part(split, panel_width, 50, left, 360) == part(sorted, panel_width, 50, left, 360));
    CHECK(difference(part(split, right, 50, 660, 360), part(sorted, right, 50, 660, 360)) > 0.005);
    user.drag(middle, 250, middle - 100, 260, 1);
    const Picture moved = user.picture();
    REQUIRE_FALSE(lines(moved).empty());
    CHECK(lines(moved).front() == Approx(middle - 101).margin(2));
    CHECK(part(moved, right, 50, 660, 360) == part(split, right, 50, 660, 360));
    user.press({"x"});
    user.title_becomes(" ms, sorted");

    // The check mark of "sort", below the slider. Mouse actions on the panel do not move the camera.
    const Pixel check_mark = {66, 150, 250};
    const auto [x, y] = find_in_panel(sorted, check_mark, 125, 175);
    user.click(x, y);
    user.title_becomes(", UNSORTED");
    const Picture unsorted = user.picture();
    CHECK(difference(scene(unsorted), scene(sorted)) > 0.005);
    CHECK(share(unsorted, x - 5, y - 5, x + 5, y + 5, [&](Pixel c) { return c == check_mark; }) == 0.0);
    user.click(x, y);
    user.title_becomes(" ms, sorted");
    CHECK(scene(user.picture()) == scene(sorted));

    // Other algorithms find the same order.
    user.press({"shift+a"});
    user.title_becomes(" bitonic:step");
    CHECK(scene(user.picture()) == scene(sorted));
    user.press({"a", "b"});
    user.title_becomes("fragment merge:multiway");
    CHECK(scene(user.picture()) == scene(sorted));

    // An unavailable choice changes nothing, and prints a message. The test tries radix, and then the fragment backend
    // in its list.
    user.press({"b", "b", "a", "a", "a"});
    user.title_becomes("compute radix:");
    user.click(x, y + 25);
    user.click(x + 30, y + 70);
    user.move_to(500, 300);
    const Picture refused = user.picture();
    CHECK_THAT(user.title(), Contains("compute radix:"));
    CHECK_THAT(user.err(), Contains("radix") && Contains("fragment"));
    CHECK(scene(refused) == scene(sorted));
    const auto is_problem = [](Pixel c) { return c[0] > 150 && c[1] > 60 && c[1] < 110 && c[2] < 20; };
    CHECK(share(refused, 0, 110, panel_width, 140, is_problem) > 0.01);
    CHECK(share(sorted, 0, 110, panel_width, 140, is_problem) == 0.0);

    user.press({"Escape"});
    CHECK(user.wait() == 0);
    CHECK_THAT(user.out(), Contains("2000 particles") && Contains("radix:"));
}

TEST_CASE("particles has a camera that orbits, zooms and pans, and a panel that hides", "[programs]") {
    if (const std::string missing = missing_for_windows(); !missing.empty()) return skip(missing + " is not installed");
    Visitor user({"--count", "2000", "--size", "660x360", "--panels"});
    user.press({"space", "r"});
    const Picture first = user.picture();
    const auto changed = [&] {
        const Picture now = user.picture();
        CHECK(difference(scene(now), scene(first)) > 0.05);
        user.press({"r"});
        CHECK(scene(user.picture()) == scene(first));
        return now;
    };
    user.drag(500, 150, 560, 200, 1);
    changed();
    user.scroll(500, 150, 2);
    const double before = share(first, panel_width, 0, 660, 360, is_bright);
    CHECK(share(changed(), panel_width, 0, 660, 360, is_bright) > before);
    // So near that a part is out of sight.
    user.scroll(500, 150, 12);
    eventually([&] { return user.title().find(", 2000 visible") == std::string::npos; });
    CHECK_THAT(user.title(), Contains(" visible, ") && !Contains(", 2000 visible"));
    user.press({"r"});
    user.title_becomes(", 2000 visible");
    user.drag(430, 150, 590, 150, 3);  // To the right.
    const Picture panned = changed();
    CHECK(share(panned, panel_width, 0, 430, 360, is_bright) < 0.5 * share(first, panel_width, 0, 430, 360, is_bright));
    // The panel takes all mouse actions over it.
    user.drag(200, 225, 250, 260, 1);
    user.drag(200, 225, 250, 260, 3);
    user.scroll(250, 260, 1);
    user.move_to(500, 150);
    CHECK(scene(user.picture()) == scene(first));

    // The panel is gone. The picture covers its place, around a new middle.
    const auto is_panel = [](Pixel c) { return c == Pixel{23, 26, 31}; };
    CHECK(share(first, 0, 0, panel_width, 360, is_panel) > 0.4);
    user.press({"Tab"});
    const Picture hidden = user.picture();
    CHECK(share(hidden, 0, 0, 660, 360, is_panel) < 0.01);
    CHECK(share(hidden, 100, 0, panel_width, 360, is_bright) > 0.1);
    user.press({"Tab"});
    CHECK(scene(user.picture()) == scene(first));

    user.resize(800, 320);
    REQUIRE(user.shows([](const Picture& now) { return now.width == 800; }));
    const Picture resized = user.picture();
    CHECK(resized.width == 800);
    CHECK(resized.height == 320);
    CHECK(share(resized, panel_width, 0, 800, 320, is_bright) > 0.1);
    CHECK(share(resized, 0, 0, panel_width, 320, is_panel) > 0.3);
    user.press({"Escape"});
    CHECK(user.wait() == 0);
}
