#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "programs/process.h"
#include "support/paths.h"

/// `glsort frames`: what a loop of frames feels.

namespace glsort::test {
namespace {

using Catch::Contains;

TEST_CASE("glsort frames makes a sorter, lets it grow, and tells the times", "[programs]") {
    for (const char* backend : {"compute", "fragment"}) {
        const Result outcome = run_program(
            paths::program(GLSORT_CLI_PATH),
            {"frames", "-n", "2000", "--grow-to", "3000", "--frames", "20", "--backend", backend, "--format", "json"});
        INFO(outcome.err);
        REQUIRE(outcome.code == 0);
        const nlohmann::json json = nlohmann::json::parse(outcome.out);
        CHECK(json["backend"] == backend);
        CHECK(json["n"] == 2000);
        CHECK(json["grow_to"] == 3000);
        CHECK(json["construction"]["calls"] > 2);
        CHECK(json["construction"]["longest_ms"] <= json["construction"]["ms"]);
        CHECK(json["frames"]["count"] >= 20);
        CHECK(json["frames"]["grows_from"] == 6);
        CHECK(json["frames"]["grows_to"] >= 6);
        CHECK(json["frames"]["median_ms"] <= json["frames"]["longest_ms"]);
        // Of less than 100 frames, only the longest is at least as long as 99%.
        if (json["frames"]["count"] < 100)
            CHECK(json["frames"]["percentile_99_ms"] == json["frames"]["longest_ms"]);
        else
            CHECK(json["frames"]["percentile_99_ms"] <= json["frames"]["longest_ms"]);
    }
}

TEST_CASE("glsort frames lets a scene grow", "[programs]") {
    for (const char* backend : {"compute", "fragment"}) {
        const Result outcome =
            run_program(paths::program(GLSORT_CLI_PATH), {"frames", "-n", "900", "--grow-to", "1500", "--frames", "20",
                                                          "--backend", backend, "--computed-keys", "--format", "json"});
        INFO(outcome.err);
        REQUIRE(outcome.code == 0);
        const nlohmann::json json = nlohmann::json::parse(outcome.out);
        CHECK(json["backend"] == backend);
        CHECK(json["computed_keys"] == true);
        CHECK(json["frames"]["grows_to"] >= 6);
    }
}

TEST_CASE("glsort frames tells in words, and refuses what cannot be", "[programs]") {
    const auto run = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "frames");
        return run_program(paths::program(GLSORT_CLI_PATH), arguments);
    };
    const Result outcome = run({"-n", "500", "--frames", "9"});
    REQUIRE(outcome.code == 0);
    for (const char* part : {"construction", "longest frame", "growth        to 1000 elements"})
        CHECK_THAT(outcome.out, Contains(part));
    for (const std::string grow_to : {"0", "400", "500"})
        CHECK_THAT(run({"-n", "500", "--grow-to", grow_to}).err,
                   Contains("--grow-to " + grow_to + ": the capacity must exceed --count 500"));
    CHECK_THAT(run({"--backend", "cpu"}).err, Contains("--backend cpu: frames need fragment or compute"));
    CHECK(run({"--frames", "2"}).code == 2);
    for (const char* grow_to : {"1", "8"}) {
        const Result none = run({"-n", "0", "--grow-to", grow_to});
        CHECK(none.code == 2);
        CHECK_THAT(none.err, Contains("--count: 0 is not from 1"));
    }
    const Result part = run({"-n", "500", "--ready-us", "0.5"});
    CHECK(part.code == 2);
    CHECK_THAT(part.err, Contains("--ready-us: \"0.5\" is no whole number"));
    CHECK(run({"-n", "500", "--frames", "9", "--max-elements-per-draw", "64"}).code == 0);
    const Result impossible = run({"-n", "500", "--algorithm", "radix", "--backend", "fragment"});
    CHECK(impossible.code == 2);
    CHECK_THAT(impossible.err, Contains("radix:reduce-then-scan does not run"));
}

}  // namespace
}  // namespace glsort::test
