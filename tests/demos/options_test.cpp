#include "support/options.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace glsort::demo;
using Catch::Contains;
using Catch::Equals;

TEST_CASE("counts are digits or powers of two", "[demos]") {
    CHECK(parse_count("0") == 0);
    CHECK(parse_count("1000000") == 1000000);
    CHECK(parse_count("007") == 7);
    CHECK(parse_count("18446744073709551615") == 0xFFFFFFFFFFFFFFFFu);
    CHECK(parse_count("2^0") == 1);
    CHECK(parse_count("2^18") == 262144);
    CHECK(parse_count("2^63") == 0x8000000000000000u);
    CHECK(parse_count("2^0-1") == 0);
    // Limits are read as they are written.
    for (const std::uint64_t limit : {0xffffffffu, 0x7fffffffu})
        CHECK(parse_count(count_text(limit)) == limit);
    CHECK(parse_count("2^64-1") == 0xFFFFFFFFFFFFFFFFu);
    CHECK_THROWS_AS(parse_count("2^65-1"), LimitExceeded);
    CHECK_THROWS_AS(parse_count("2^-1"), std::invalid_argument);
    CHECK_THROWS_AS(parse_count("2^8-2"), std::invalid_argument);
}

TEST_CASE("what is no count is refused with a hint", "[demos]") {
    const std::vector<std::string> wrong = {"",     "-1", "+1",   " 1",  "1 ",   "1e6", "4k",    "1M",
                                            "0x10", "2^", "2^-1", "3^4", "2**3", "1.5", "2^1.5", "^2"};
    for (const std::string& text : wrong)
        CHECK_THROWS_WITH(parse_count(text), Equals("\"" + text +
                                                    "\" is not a count: write digits (1000000) or a power of two "
                                                    "(2^20)"));
    for (const char* large : {"18446744073709551616", "2^64", "2^99999999999999999999"})
        CHECK_THROWS_WITH(parse_count(large), Equals("the limit is 2^64-1"));
    CHECK_THROWS_AS(parse_count("2^64"), LimitExceeded);
    CHECK_THROWS_AS(parse_count("x"), std::invalid_argument);
}

TEST_CASE("seeds are numbers of 64 bits", "[demos]") {
    CHECK(parse_seed("0") == 0);
    CHECK(parse_seed("18446744073709551615") == 0xffffffffffffffffu);
    for (const char* wrong : {"abc", "-1", "", "18446744073709551616"})
        CHECK_THROWS_WITH(parse_seed(wrong),
                          Contains(wrong) && Contains("is not a seed: write a number from 0 to 2^64-1"));
}

TEST_CASE("lists are cut at commas", "[demos]") {
    using Items = std::vector<std::string>;
    CHECK(split_list("") == Items{});
    CHECK(split_list("  ") == Items{});
    CHECK(split_list("a") == Items{"a"});
    CHECK(split_list("radix:digit4, abisort ,b c") == Items{"radix:digit4", "abisort", "b c"});
    for (const char* text : {",", "a,", ",a", "a,,b", "a, ,b"})
        CHECK_THROWS_WITH(split_list(text), Contains("empty item"));

    CHECK(parse_counts("16,2^10, 7") == std::vector<std::uint64_t>{16, 1024, 7});
    CHECK_THROWS_WITH(parse_counts("16,1k"), Contains("\"1k\" is not a count"));
}

TEST_CASE("choices are listed where none fits", "[demos]") {
    const std::vector<std::string> choices = {"text", "json"};
    CHECK(parse_choice("format", "json", choices) == 1);
    CHECK_THROWS_WITH(parse_choice("format", "xml", choices), Equals("unknown format \"xml\"; choose from text, json"));
    CHECK_THROWS_WITH(parse_choice("format", "jsom", choices), Contains("did you mean json?"));
}

TEST_CASE("validators replace the text or return the error", "[demos]") {
    std::string text = "2^4";
    CHECK(check_count(text).empty());
    CHECK(text == "16");
    text = "many";
    CHECK_THAT(check_count(text), Contains("not a count"));
    CHECK(text == "many");
    text = "2^4, 3";
    CHECK(check_counts(text).empty());
    CHECK(text == "16,3");
    text = "1,";
    CHECK_THAT(check_counts(text), Contains("empty item"));
}

TEST_CASE("the nearest word is what was meant", "[demos]") {
    const std::vector<std::string> words = {"--algorithm", "--output", "--order", "--io"};
    CHECK(nearest("--algoritm", words) == "--algorithm");
    CHECK(nearest("--aglorithm", words) == "--algorithm");  // Two letters swapped.
    CHECK(nearest("--out", words) == "--output");
    CHECK(nearest("--colour", words).empty());
    CHECK(nearest("", words).empty());
}

TEST_CASE("a number above a limit is told by the limit, as people write numbers", "[demos]") {
    CHECK(count_text(11) == "11");
    CHECK(count_text(1024) == "1024");
    CHECK(count_text(1u << 20) == "2^20");
    CHECK(count_text(0xffffffffu) == "2^32-1");
    CHECK(count_text(0xffffffffffffffffu) == "2^64-1");
    CHECK(count_text(100000) == "100000");
    CHECK(parse_within("2^20", 16, 1u << 20) == 1u << 20);
    for (const char* large : {"1048577", "2^64"}) {
        CHECK_THROWS_AS(parse_within(large, 16, 1u << 20), LimitExceeded);
        CHECK_THROWS_WITH(parse_within(large, 16, 1u << 20), Equals("the limit is 2^20"));
    }
    CHECK_THROWS_WITH(parse_within("15", 16, 1u << 20), Equals("15 is not from 16 to 2^20"));
    CHECK_THROWS_WITH(parse_elements("2^32"), Equals("the limit is 2^32-1"));
}

TEST_CASE("sizes, scales, versions and names of files have limits", "[demos]") {
    const Size size = parse_size("640x480", {320, 200}, {1024, 1024});
    CHECK(size.width == 640);
    CHECK(size.height == 480);
    for (const std::string wrong : {"640", "640x", "x480", "640x480x2", "640X480", ""})
        CHECK_THROWS_WITH(parse_size(wrong, {1, 1}, {9999, 9999}), Contains("is not WIDTHxHEIGHT"));
    CHECK_THROWS_WITH(parse_size("319x480", {320, 200}, {1024, 1024}),
                      Equals("319x480 is not from 320x200 to 1024x1024"));
    CHECK_THROWS_WITH(parse_size("640x1025", {320, 200}, {1024, 1024}), Equals("the limit is 1024x1024 pixels"));
    CHECK(parse_scale("1.5") == 1.5f);
    for (const std::string wrong : {"0.4", "5", "nan", "2x", ""})
        CHECK_THROWS_WITH(parse_scale(wrong), Contains("from 0.5 to 4"));
    CHECK(parse_gl_version("3.3") == 33);
    for (const std::string wrong : {"3", "3.33", "33", "a.b"})
        CHECK_THROWS_WITH(parse_gl_version(wrong), Contains("MAJOR.MINOR"));
    CHECK_THROWS_WITH(check_gl_version(32, Api::gl), Contains("OpenGL 3.3 is the least"));
    CHECK_NOTHROW(check_gl_version(30, Api::gles));
    CHECK(parse_path("-") == "-");
    CHECK_THROWS_WITH(parse_path(""), Equals("the name is empty"));
}

TEST_CASE("messages of the library lose the function", "[demos]") {
    CHECK(without_function("plan: n 3 exceeds the capacity 2") == "n 3 exceeds the capacity 2");
    CHECK(without_function("Sorter::Sorter: capacity 5: too large") == "capacity 5: too large");
    CHECK(without_function("merge:shared: no") == "merge:shared: no");
    CHECK(without_function("no colon") == "no colon");
}
