// The stage viewer, as its users run it: pictures without a window, and a window with keys and a mouse.

#include <fmt/format.h>
#include <glsort/planner.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "display.h"
#include "pictures.h"
#include "process.h"
#include "stages/options.h"
#include "support/gif.h"
#include "support/palette.h"
#include "support/paths.h"
#include "support/picture.h"
#include "support/skip.h"

namespace {

using Catch::Matchers::Contains;
using glsort::demo::Picture;
using glsort::demo::read_gif;
using glsort::demo::read_png;
using namespace glsort::test;

Result stages(const std::vector<std::string>& arguments, const Environment& environment = {}) {
    return run_program(paths::program(STAGES_PATH), arguments, environment);
}

bool ascends(const std::vector<int>& bars) {
    return !bars.empty() && std::ranges::is_sorted(bars);
}

// The share of pixels that clearly differ from the background.
double content(const Picture& picture) {
    return share(picture, 0, 0, picture.width, picture.height, [](Pixel c) {
        return std::max({c[0], c[1], c[2]}) > 70;
    });
}

}  // namespace

// In this process, because the start of the program would take most of the time.
TEST_CASE("stages records every algorithm and variant", "[programs]") {
    const Folder folder;
    for (const glsort::Algorithm& algorithm : glsort::algorithms())
        for (const glsort::Algorithm::Variant& variant : algorithm.variants)
            for (const std::uint32_t n : {16u, 256u, 65536u}) {
                // The largest count takes long on a software rasteriser, so only one variant of each algorithm sorts
                // it.
                if (n == 65536 && variant.name != algorithm.variants.front().name) continue;
                glsort::demo::Options options;
                options.method.algorithm = algorithm.name + ":" + variant.name;
                CAPTURE(options.method.algorithm, n);
                options.input.n = n;
                options.size = {640, 360};
                options.headless = true;
                options.frames = 2;
                options.output = folder.file("pictures");
                run_headless(options);
                const Picture input = read_png(folder.file("pictures/0000.png"));
                const Picture sorted = read_png(folder.file("pictures/0001.png"));
                CHECK(content(input) > 0.1);
                CHECK(content(sorted) > 0.1);
                CHECK(difference(input, sorted) > 0.03);
                if (n != 16) continue;
                CHECK(bars_of(input, 16, 640).size() == 16);
                CHECK_FALSE(ascends(bars_of(input, 16, 640)));
                CHECK(ascends(bars_of(sorted, 16, 640)));
            }
}

TEST_CASE("stages writes one picture, a folder of them, or a GIF", "[programs]") {
    const Folder folder;
    const std::vector<std::string> common = {"--headless", "-n", "32", "--size", "400x300"};
    const auto run = [&](std::vector<std::string> more) {
        more.insert(more.begin(), common.begin(), common.end());
        const Result result = stages(more);
        INFO(result.err);
        CHECK(result.code == 0);
        CHECK(result.out.empty());
    };
    run({"--frames", "5", "--output", folder.file("all.gif")});
    run({"--frames", "5", "--output", folder.file("all")});
    run({"--output", folder.file("one.png")});
    const std::vector<Picture> moving = read_gif(folder.file("all.gif"));
    REQUIRE(moving.size() == 5);
    for (int i = 0; i < 5; ++i) {
        const Picture still = read_png(folder.file(fmt::format("all/{:04}.png", i)));
        CHECK(still.width == 400);
        CHECK(still.height == 300);
        CHECK(difference(still, moving[static_cast<std::size_t>(i)]) < 0.005);
    }
    CHECK_FALSE(std::filesystem::exists(folder.file("all/0005.png")));
    // One picture shows the middle op. Five pictures have this op in the middle.
    CHECK(read_png(folder.file("one.png")) == read_png(folder.file("all/0002.png")));

    // A sort has equal pictures on every backend, except for the title. Another seed has other keys.
    const auto bars = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"--frames", "2", "--output", folder.file("other")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        run(arguments);
        return bars_of(read_png(folder.file("other/0000.png")), 32, 400);
    };
    const std::vector<int> keys = bars({});
    CHECK(keys.size() == 32);
    CHECK(bars({"--backend", "cpu"}) == keys);
    CHECK(bars({"--seed", "2"}) != keys);
    CHECK(ascends(bars({"--distribution", "sorted"})));
    CHECK_FALSE(ascends(bars({"--distribution", "sorted", "--order", "descending"})));
    run({"--view", "streams", "--scale", "2", "--output", folder.file("streams.png")});
    CHECK(content(read_png(folder.file("streams.png"))) > 0.05);
    run({"--panels", "--compare", "merge", "--size", "1280x720", "--output", folder.file("window.png")});
    CHECK(content(read_png(folder.file("window.png"))) > 0.05);
}

TEST_CASE("stages shows scenes in every view that fits", "[programs]") {
    const Folder folder;
    const std::string path = folder.file("scene.png");
    for (const char* backend : {"compute", "fragment"})
        for (const std::vector<std::string>& views :
             {std::vector<std::string>{"merge", "bars", "streams", "merge-path"},
              std::vector<std::string>{"bitonic:step", "network"},
              std::vector<std::string>{"radix:reduce-then-scan", "radix"}})
            for (std::size_t view = 1; view < views.size(); ++view)
                for (const char* count : {"16", "48", "1500"}) {
                    if (views[view] == "radix" && std::string(backend) == "fragment") continue;
                    if (views[view] == "bars" && std::string(count) == "1500") continue;
                    // A few elements need no merge.
                    if (views[view] == "merge-path" && std::string(count) != "1500") continue;
                    CAPTURE(backend, views[0], views[view], count);
                    const Result result =
                        stages({"--headless", "--sources", "3", "--visible", "0.6", "--backend", backend, "--algorithm",
                                views[0], "--view", views[view], "-n", count, "--size", "640x400", "--output", path});
                    INFO(result.err);
                    // Where groups are large, one op sorts a few elements, and there is nothing to see of digits.
                    if (views[view] == "radix" && result.err.find("no view \"radix\" fits") != std::string::npos)
                        continue;
                    REQUIRE(result.code == 0);
                    CHECK(content(read_png(path)) > 0.02);
                }
    CHECK(stages({"--headless", "--visible", "0", "--output", path}).code == 0);
    CHECK(stages({"--headless", "--panels", "--compare", "merge", "--sources", "64", "--output", path}).code == 0);
}

TEST_CASE("stages refuses wrong arguments", "[programs]") {
    struct Mistake {
        std::vector<std::string> arguments;
        std::string message;
    };
    const std::vector<Mistake> mistakes = {
        {{"-n", "15"}, "15 is not from 16 to 2^20"},
        {{"-n", "2^21"}, "--count 2^21: the limit is 2^20"},
        {{"-n", "many"}, "\"many\""},
        {{"--frames", "0"}, "0 is not from 1 to 10000"},
        {{"--frames", "2", "--output", "/tmp/one.png"}, "2 frames need a folder or a .gif file"},
        {{"--size", "1280"}, "WIDTHxHEIGHT"},
        {{"--size", "1280x"}, "WIDTHxHEIGHT"},
        {{"--size", "1x720"}, "1x720 is not from 320x200 to 16384x16384"},
        {{"--scale", "9"}, "0.5 to 4"},
        {{"--algorithm", "bogo"}, "bogo"},
        {{"--compare", "bogo"}, "bogo"},
        {{"--backend", "cuda"}, "cuda"},
        {{"--distribution", "odd"}, "odd"},
        {{"--layout", "spiral"}, "spiral"},
        {{"--key", "u8"}, "u8"},
        {{"--order", "up"}, "up"},
        {{"--seed", "-1"}, "\"-1\""},
        {{"--view", "cinema"}, "--view: no view \"cinema\""},
        {{"--view", "bars", "-n", "512"}, "\"bars\""},
        {{"--view", "trees", "--algorithm", "abisort:overlapped", "--compare", "bitonic:step"},
         "--view: no view \"trees\" fits bitonic:step with n = 64; the views that fit are bars"},
        {{"--algorithm", "sample", "--tile", "17"}, "17"},
        {{"--algorithm", "radix", "--digit-bits", "12"}, "12"},
        {{"--algorithm", "radix", "--backend", "fragment"}, "fragment"},
        {{"--compare", "radix", "--backend", "fragment"}, "--compare radix"},
        {{"--sources", "65"}, "--sources 65: the limit is 64"},
        {{"--sources", "0"}, "0 is not from 1 to 64"},
        {{"--visible", "1.5"}, "\"1.5\" is not a fraction from 0 to 1"},
        {{"--visible", "0.5", "--tile", "16"},
         "--visible and --tile contradict each other: scenes have no such choice"},
        {{"--sources", "2", "--key", "f64"}, "key f64; it must be f32, i32, u32 or u64"},
        {{"--sources", "2", "--algorithm", "abisort"}, "takes no count on the GPU"},
        {{"--output", "a.jpg"}, "a.jpg"},
        {{"--output", "/dev/null"}, "/dev/null is a file"},
        {{"--colour", "blue"}, "--colour"},
        {{"picture.png"}, "picture.png"},
    };
    const Folder folder;
    for (const Mistake& mistake : mistakes) {
        std::vector<std::string> arguments = {"--headless", "--output", folder.file("a.png")};
        arguments.insert(arguments.end(), mistake.arguments.begin(), mistake.arguments.end());
        const Result result = stages(arguments);
        CAPTURE(mistake.arguments);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Catch::Matchers::StartsWith("stages: "));
        CHECK_THAT(result.err, Contains(mistake.message) && Contains("--help"));
    }
    CHECK(stages({"--headless"}).code == 2);
    CHECK_THAT(stages({"--headless"}).err, Contains("--output"));
}

TEST_CASE("stages says what it cannot do, and explains itself", "[programs]") {
    const Result blind = stages({}, {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}});
    CHECK(blind.code == 1);
    CHECK_THAT(blind.err, Contains("no display") && Contains("--headless"));
    const Result help = stages({"--help"});
    CHECK(help.code == 0);
    CHECK(help.err.empty());
    for (const std::string text : {"--algorithm", "--compare", "--backend", "--view", "--headless", "--frames",
                                   "--output", "SPACE", "RIGHT, LEFT", "F12", "ESC", "OpenGL ES is not supported"})
        CHECK_THAT(help.out, Contains(text));
}

namespace {

constexpr int panels = 850;  // Pixels from the left to the program.

// The starts of lit lines of the printed program, from the top.
std::vector<int> lit_lines(const Picture& picture) {
    // mark::written over the window's colour.
    const auto lit = [](Pixel c) { return c[0] > 80 && c[0] < 125 && c[1] > 55 && c[1] < 90 && c[2] < 35; };
    std::vector<int> lines;
    int last = -100;
    for (int y = 0; y < picture.height; ++y) {
        if (share(picture, panels + 20, y, panels + 380, y + 1, lit) < 0.4) continue;
        if (y - last > 8) lines.push_back(y);  // Letters cut a line in pieces.
        last = y;
    }
    return lines;
}

// The left end of the white frame around an op in the timeline. -1: no frame.
int lit_op(const Picture& picture) {
    const auto white = [](Pixel c) { return *std::ranges::min_element(c) > 240; };
    for (int x = 0; x < picture.width; ++x)
        if (share(picture, x, picture.height - 100, x + 1, picture.height - 50, white) > 0.9) return x;
    return -1;
}

}  // namespace

TEST_CASE("stages in a window steps, goes back, changes what it sorts, and quits", "[programs]") {
    if (const std::string missing = missing_for_windows(); !missing.empty()) return skip(missing + " is not installed");
    User watcher("stages", "F12", paths::program(STAGES_PATH),
                 {"--algorithm", "bitonic:step", "--backend", "cpu", "-n", "32"});
    watcher.title_becomes("bitonic:step, cpu, n = 32, 0 of 16 ops");
    const Picture input = watcher.picture();
    REQUIRE(input.width == 1280);
    REQUIRE(input.height == 720);
    const std::vector<int> unsorted = bars_of(input, 32, panels);
    CHECK(unsorted.size() == 32);
    CHECK_FALSE(ascends(unsorted));
    CHECK(lit_lines(input).empty());

    watcher.press({"Right"});
    watcher.title_becomes(" 1 of 16 ops");
    const Picture one = watcher.picture();
    watcher.press({"Right", "Right"});
    watcher.title_becomes(" 3 of 16 ops");
    const Picture three = watcher.picture();
    CHECK(bars_of(three, 32, panels) != bars_of(one, 32, panels));
    REQUIRE(lit_lines(one).size() == 1);
    REQUIRE(lit_lines(three).size() == 1);
    CHECK(lit_lines(three)[0] > lit_lines(one)[0] + 20);
    // The width of an op in the timeline is its share of the time.
    const double op_width = (1280.0 - 24.0) / 16.0;
    REQUIRE(lit_op(one) >= 0);
    CHECK(std::abs(lit_op(three) - lit_op(one) - 2.0 * op_width) <= 2.0);

    watcher.press({"Left", "Left"});
    watcher.title_becomes(" 1 of 16 ops");
    CHECK(bars_of(watcher.picture(), 32, panels) == bars_of(one, 32, panels));
    watcher.press({"Home"});
    watcher.title_becomes(" 0 of 16 ops");
    CHECK(bars_of(watcher.picture(), 32, panels) == unsorted);
    watcher.press({"End"});
    watcher.title_becomes(" 16 of 16 ops");
    CHECK(ascends(bars_of(watcher.picture(), 32, panels)));

    // Clicks an op of the timeline, then play, which ends at the last op.
    watcher.click(static_cast<int>(12.0 + 4.5 * op_width), 640);
    watcher.title_becomes(" 5 of 16 ops");
    watcher.press({"Up", "Up", "Up", "Up", "Up", "space"});
    watcher.title_becomes(" 16 of 16 ops");

    watcher.press({"a"});
    watcher.title_becomes("bitonic:local, cpu, n = 32");
    watcher.press({"equal", "b"});
    watcher.title_becomes("bitonic:local, compute, n = 64");
    watcher.press({"End"});
    watcher.title_becomes(" 1 of 1 ops");
    CHECK(ascends(bars_of(watcher.picture(), 64, panels)));

    // Types a number of keys into its field. An invalid number is refused, with a message.
    const auto type_n = [&watcher](const std::string& text) {
        watcher.click(850, 18);
        watcher.type(text);
    };
    type_n("100");
    watcher.title_becomes("n = 100, ");
    const Picture before = watcher.picture();
    type_n("9");
    REQUIRE(watcher.shows([&](const Picture& refused) { return difference(before, refused) > 0.001; }));
    watcher.title_becomes("n = 100, ");
    watcher.press({"minus"});
    watcher.title_becomes("n = 50, ");

    // ESC closes an open list, and not the window.
    const Picture closed = watcher.picture();
    watcher.click(150, 18);
    REQUIRE(watcher.shows([&](const Picture& open) { return difference(closed, open) > 0.01; }));
    watcher.press({"Escape"});
    watcher.press({"equal"});
    watcher.title_becomes("n = 100, ");
    watcher.press({"minus"});
    watcher.title_becomes("n = 50, ");

    watcher.press({"c"});
    watcher.title_becomes(" | ");
    watcher.press({"End"});
    REQUIRE(watcher.shows([](const Picture& both) { return ascends(bars_of(both, 50, 640)); }));

    watcher.press({"c"});
    watcher.resize(900, 600);
    REQUIRE(watcher.shows([](const Picture& now) { return now.width == 900; }));
    const Picture small = watcher.picture();
    CHECK(small.width == 900);
    CHECK(small.height == 600);
    CHECK(content(small) > 0.05);

    watcher.press({"Escape"});
    CHECK(watcher.wait() == 0);
    CHECK(watcher.err().empty());
}
