// The options of sort and bench for counts on the GPU and for scenes.

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "process.h"
#include "support/paths.h"

namespace {

using Catch::Matchers::Contains;
using namespace glsort::test;
using nlohmann::json;

Result call(const std::string& arguments) {
    return run_program("bash", {"-c", "'" + paths::program(GLSORT_CLI_PATH) + "' " + arguments});
}

json report(const std::string& arguments) {
    const Result result = call(arguments + " --format json");
    INFO(arguments << "\n" << result.err);
    REQUIRE(result.code == 0);
    return json::parse(result.out);
}

}  // namespace

TEST_CASE("sort sorts scenes, and verifies them", "[programs]") {
    for (const std::string backend : {"fragment", "compute"})
        for (const std::string& scene :
             std::vector<std::string>{"--sources 3", "--sources 64 --visible 0.3 --key u64",
                                      "--computed-keys --order descending", "--computed-keys --sources 5 --visible 0.6",
                                      "--visible 0 --key i32", "--visible 1", "--visible 0.5 --key f32"})
            for (const std::string count : {"0", "1", "3001"}) {
                std::string line = "sort --verify -n " + count + " --backend " + backend + " " + scene;
                line += count == "1" ? " --count-on gpu" : "";
                const json sorted = report(line);
                INFO(line);
                CHECK(sorted.at("verified") == true);
                CHECK(sorted.at("sources") >= 1);
                CHECK(sorted.at("backend") == backend);
                CHECK(sorted.at("n") == std::stoul(count));
                CHECK(sorted.at("count_on") == (count == "1" ? "gpu" : "cpu"));
                CHECK(sorted.at("computed_keys") == (scene.find("computed") != std::string::npos));
                const double drawn = sorted.at("visible").get<double>() * std::stod(count);
                CHECK(std::abs(sorted.at("drawn").get<double>() - drawn) <= 0.1 * std::stod(count) + 1);
            }
}

TEST_CASE("sort takes the count from the GPU", "[programs]") {
    for (const std::string options :
         {"--backend fragment --io texture", "--backend fragment --io buffer --payload none", "--backend compute"}) {
        const json sorted = report("sort --verify --count-on gpu -n 1234 " + options);
        INFO(options);
        CHECK(sorted.at("verified") == true);
        CHECK(sorted.at("count_on") == "gpu");
        CHECK(sorted.at("sources") == 0);
    }
    CHECK_THAT(call("plan -n 100 --count-on gpu --backend compute").out, Contains("counts 1 to 100"));
    CHECK(call("plan -n 100 --algorithm abisort").code == 0);
    CHECK(call("plan -n 100 --algorithm abisort --count-on gpu").code == 2);
    CHECK_THAT(call("sort --count-on gpu -n 4 --algorithm abisort").err, Contains("abisort"));
}

TEST_CASE("a bench row names its scene, and is verified", "[programs]") {
    const json rows = report(
        "bench --sizes 2^10 --repetitions 1 --backends fragment,compute --sources 16 --visible 0.25 "
        "--count-on gpu")["rows"];
    REQUIRE(rows.size() == 3);
    for (const json& row : rows) {
        CHECK(row.at("verified") == true);
        CHECK(row.at("sources") == 16);
        CHECK(row.at("visible") == 0.25);
        CHECK(row.at("n") == 1024);
        CHECK(row.at("count_on") == (row.at("algorithm") == "std_sort" ? "cpu" : "gpu"));
    }
    const Result table = call("bench --sizes 64 --repetitions 1 --backends compute --computed-keys");
    CHECK_THAT(table.out, Contains("computed keys") && Contains("verified"));
}

TEST_CASE("options that a scene has not are refused by name", "[programs]") {
    const std::vector<std::vector<std::string>> cases = {
        {"sort -n 4 --sources 65", "--sources 65: the limit is 64"},
        {"sort -n 4 --sources 0", "--sources"},
        {"sort -n 4 --visible 1.5", "--visible"},
        {"sort -n 4 --visible -1", "--visible"},
        {"sort -n 4 --computed-keys --key u32", "--key u32: computed keys are f32"},
        {"sort -n 4 --computed-keys --distribution special", "--distribution special"},
        {"sort -n 4 --sources 2 --key f64", "--key f64: keys of scenes are"},
        {"sort -n 4 --sources 2 --payload none", "--payload none: scenes give the index"},
        {"sort -n 4 --sources 2 --backend cpu", "--backend cpu and --sources contradict each other"},
        {"sort -n 4 --sources 2 --bits 0-8", "--sources and --bits contradict each other"},
        {"sort -n 4 --visible 0.5 --io texture", "--visible and --io texture contradict each other"},
        {"sort --sources 2 --input keys", "--sources and --input contradict each other"},
        {"sort -n 4 --count-on gpu --backend cpu", "--backend cpu and --count-on gpu contradict each other"},
        {"bench --sizes 4 --count-on both", "--count-on"},
        {"bench --sizes 4 --backends cpu --computed-keys", "--backends cpu and --computed-keys"},
    };
    for (const std::vector<std::string>& wrong : cases) {
        const Result result = call(wrong[0]);
        INFO(wrong[0]);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_THAT(result.err, Contains(wrong[1]));
    }
}
