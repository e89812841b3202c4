#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "stages/glossary.h"
#include "stages/pane.h"
#include "stages/run.h"
#include "stages/shortcuts.h"
#include "stages/stream_picture.h"
#include "stages/view.h"
#include "support/palette.h"
#include "support/paths.h"
#include "support/window.h"

using namespace glsort;
using namespace glsort::demo;
using Catch::Contains;

TEST_CASE("stages: every program has a view, and names choose among those that fit", "[demos]") {
    const auto views = make_views();
    std::set<std::string> names;
    for (const auto& view : views) {
        CHECK(names.insert(view->name()).second);
        CHECK(view->explanation().size() > 20);
    }
    PlanRequest request;
    request.n = 64;
    const StreamProgram small = plan(request);
    request.n = 65536;
    const StreamProgram large = plan(request);
    CHECK(choose_view(views, "", small).name() == "Bars");
    CHECK(choose_view(views, "", large).name() == "Streams");
    CHECK(choose_view(views, "streams", small).name() == "Streams");
    CHECK_THROWS_WITH(choose_view(views, "bars", large),
                      Contains("\"bars\"") && Contains("65536") && Contains("streams"));
}

TEST_CASE("stages: a picture says what its axes and colours mean, and its legend has what it uses", "[demos]") {
    const auto views = make_views();
    std::set<std::string> with_marks;
    const Run bitonic({.n = 64}, {.algorithm = "bitonic:step"}, nullptr);
    for (const auto& view : views) {
        CAPTURE(view->name());
        CHECK_THAT(view->caption(), Contains("olour") || Contains("Numbers"));
        // Nothing is read or written before the first op.
        CHECK(view->marks(bitonic.moment()).empty());
    }
    Run sorted({.n = 64}, {.algorithm = "bitonic:step"}, nullptr);
    sorted.go_to(3);
    for (const auto& view : views) {
        if (!view->marks(sorted.moment()).empty()) with_marks.insert(view->name());
        if (view->name() == "Bars")
            CHECK(view->marks(sorted.moment()) ==
                  std::vector{LegendMark::read, LegendMark::written, LegendMark::exchanged, LegendMark::compared});
    }
    CHECK(with_marks.contains("Streams"));
    // These have legends of their own.
    for (const char* name : {"Network", "Trees", "Layout", "Merge path"})
        CHECK_FALSE(with_marks.contains(name));
    // A radix sort compares nothing.
    Run counted({.n = 64}, {.algorithm = "radix"}, nullptr);
    counted.go_to(1);
    CHECK(choose_view(views, "bars", counted.program()).marks(counted.moment()) ==
          std::vector{LegendMark::read, LegendMark::written});
}

TEST_CASE("stages: ops are numbered from 0, as in the printed program", "[demos]") {
    Run run({.n = 64}, {.algorithm = "bitonic:step"}, nullptr);
    const std::string last = std::to_string(run.ops() - 1);
    CHECK(position_of(run) == "before op 0 (of 0 to " + last + "): the input");
    run.go_to(1);
    CHECK_THAT(position_of(run), Catch::StartsWith("op 0 (of 0 to " + last + "): "));
    run.go_to(run.ops());
    CHECK_THAT(position_of(run), Catch::StartsWith("op " + last + " (of 0 to " + last + "): "));
}

TEST_CASE("stages: each cell of a stream's picture is one element, and each texel is where the layout puts it",
          "[demos]") {
    Stream stream;
    stream.words = 2;
    stream.records = 100;
    stream.elements_per_record = GENERATE(1u, 2u, 8u, 16u);
    stream.medium = GENERATE(Medium::buffer, Medium::texture);
    stream.layout = GENERATE(StreamLayout{Layout::row_wise, 16}, StreamLayout{Layout::z_order, 16});
    const bool keys = GENERATE(false, true);
    const StreamGrid grid(stream, keys);
    CHECK(grid.cells == stream.elements_per_record * (keys ? 1 : 2));
    std::set<std::pair<std::uint32_t, std::uint32_t>> places;
    for (std::uint32_t record = 0; record < stream.records; ++record)
        for (std::uint32_t cell = 0; cell < grid.cells; ++cell) {
            const Texel place = grid.place(record, cell);
            REQUIRE(place.x < grid.width());
            REQUIRE(place.y < grid.height());
            REQUIRE(places.insert({place.x, place.y}).second);
            const auto found = grid.at(place.x, place.y, stream.records);
            REQUIRE(found.has_value());
            REQUIRE(found->record == record);
            REQUIRE(found->cell == cell);
            if (stream.medium == Medium::texture) {
                const Texel texel = texel_of(stream.layout, record);
                REQUIRE(place.x / grid.across == texel.x);
                REQUIRE(place.y / grid.down == texel.y);
            }
        }
    CHECK_FALSE(grid.at(grid.width(), 0, stream.records).has_value());
}

TEST_CASE("stages: an outline goes around all texels of a substream, and nowhere else", "[demos]") {
    Stream stream;
    stream.records = 64;
    stream.medium = Medium::texture;
    stream.layout = {Layout::z_order, 8};
    const StreamGrid grid(stream, true);
    const auto length = [&](const Substream& records) {
        std::uint32_t sum = 0;
        for (const Segment& segment : outline_of(grid, records))
            sum += segment.x1 - segment.x0 + segment.y1 - segment.y0;
        return sum;
    };
    CHECK(length(Substream::range(0, 64)) == 4 * 8);
    CHECK(length(Substream::range(0, 16)) == 4 * 4);
    CHECK(length(Substream::range(5, 6)) == 4);
    CHECK(length(Substream::range(0, 8)) == 2 * (4 + 2));
    CHECK(length(Substream({{0, 4}, {12, 16}})) == 2 * 4 * 2);
    CHECK(length({}) == 0);
    CHECK(outline_of(grid, Substream::range(0, 64)).size() == 4);
}

TEST_CASE("stages: a picture of keys shows them in the colours of their places", "[demos]") {
    Run run({256}, {}, nullptr);
    run.go_to(run.ops());
    const StreamId keys = run.program().stream("keys");
    const Picture picture = picture_of(run.moment(), keys, (*run.moment().streams)[keys]);
    CHECK(picture.width * picture.height == 256);
    for (std::size_t i = 0; i < 256; ++i) {
        const Colour expected = key_colour(static_cast<float>(i) / 255.0f);
        CHECK(std::abs(picture.rgba[4 * i] - expected.red) <= 1);
        CHECK(std::abs(picture.rgba[4 * i + 1] - expected.green) <= 1);
        CHECK(std::abs(picture.rgba[4 * i + 2] - expected.blue) <= 1);
    }
}

TEST_CASE("stages: words are explained once, in a sentence, with a source", "[demos]") {
    const auto read = [](const std::string& document) {
        std::ifstream file(paths::source(document));
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    const std::string document = read("docs/glossary.md");
    std::set<std::string_view> words;
    for (const Term& entry : glossary()) {
        CAPTURE(entry.word);
        CHECK(words.insert(entry.word).second);
        CHECK(entry.meaning.ends_with('.'));
        CHECK_FALSE(entry.source.empty());
        const std::string source(entry.source);
        CHECK_THAT(document, Contains("\n| " + std::string(entry.word) + " | " + std::string(entry.meaning) + " | " +
                                      source + " |\n"));
        // Sources in the project's documents, `docs/FILE.md, HEADING`, must exist.
        if (source.starts_with("docs/")) {
            const std::size_t comma = source.find(", ");
            REQUIRE(comma != std::string::npos);
            CHECK_THAT(read(source.substr(0, comma)), Contains("# " + source.substr(comma + 2) + "\n"));
        }
        CHECK(&term(entry.word) == &entry);
    }
    CHECK_THROWS(term("no such word"));
    // Letters are those of the layout: on a French keyboard, A has the place of Q.
    CHECK(command_of(key_named("a", GLFW_KEY_Q), 0) == Command::next_algorithm);
    CHECK(command_of(key_named("+", GLFW_KEY_RIGHT_BRACKET), 0) == Command::double_n);
    CHECK(key_named(nullptr, GLFW_KEY_ESCAPE) == GLFW_KEY_ESCAPE);
    CHECK(key_named("\u0444", GLFW_KEY_A) == GLFW_KEY_A);
    CHECK(key_named("1", GLFW_KEY_1) == GLFW_KEY_1);
    // A held key moves, but neither toggles nor writes pictures.
    for (const Command command : {Command::forward, Command::back_ten, Command::faster})
        CHECK(repeats(command));
    for (const Command command : {Command::play, Command::compare, Command::picture, Command::panels, Command::help})
        CHECK_FALSE(repeats(command));
    for (const Shortcut& shortcut : shortcuts())
        CHECK_FALSE(shortcut.meaning.empty());
}
