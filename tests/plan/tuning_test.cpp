#include <glsort/plan/tuning.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

using namespace glsort;
using Catch::Contains;

namespace {

PlanRequest request_for(const std::string& algorithm, const std::string& limits) {
    PlanRequest request;
    request.n = request.spec.capacity = 1000;
    request.spec.algorithm = algorithm;
    request.spec.backend = Backend::compute;
    apply_limits(request.limits, limits);
    return request;
}

const TuningReport::Value& value_of(const TuningReport& report, const std::string& family, const std::string& name) {
    for (const TuningReport::Family& of : report.families)
        for (const TuningReport::Value& value : of.values)
            if (of.name == family && value.name == name) return value;
    FAIL("there is no " << family << "." << name);
    return report.families.front().values.front();
}

std::vector<std::string> names_of(const std::string& algorithm) {
    std::vector<std::string> names;
    for (const Algorithm& one : algorithms())
        for (const Algorithm::Variant& variant : one.variants)
            if (one.name == algorithm || algorithm.empty()) names.push_back(one.name + ":" + variant.name);
    return names;
}

}  // namespace

TEST_CASE("the row of the tuning tables goes by the limits", "[plan]") {
    const auto report = [](const std::string& limits) { return chosen_tuning(request_for("radix", limits)); };
    CHECK(report("").row == "unknown GPU");
    CHECK_THAT(report("").reason, Contains("multiprocessors is 0"));
    CHECK(report("multiprocessors=132").row == "known GPU");
    CHECK_THAT(report("multiprocessors=132").reason, Contains("multiprocessors is 132"));
    CHECK(report("software=yes,multiprocessors=132").row == "software rasteriser");
    CHECK_THAT(report("software=yes").reason, Contains("software is yes"));
}

TEST_CASE("rows have values of their own", "[plan]") {
    const auto value = [](const std::string& limits, const char* algorithm, const char* family, const char* name) {
        return value_of(chosen_tuning(request_for(algorithm, limits)), family, name).numbers.front();
    };
    CHECK(value("software=yes", "radix", "radix", "invocations") == 32);
    CHECK(value("", "radix", "radix", "invocations") == 128);
    CHECK(value("", "radix", "radix", "enumerated") == 0);
    CHECK(value("multiprocessors=132", "radix", "radix", "enumerated") == 32768);
    CHECK(value("software=yes", "merge", "merge", "shared") == 0);
    CHECK(value("", "merge", "merge", "shared") == 1);
    CHECK(value("software=yes", "bitonic:local", "networks", "elements") == 16);
    CHECK(value("", "bitonic:local", "networks", "elements") == 8);
}

TEST_CASE("what is automatic goes by the tuning", "[plan]") {
    CHECK(chosen_tuning(request_for("automatic", "")).algorithm == "radix");
    CHECK(chosen_tuning(request_for("automatic", "software=yes")).algorithm == "merge");
    CHECK(chosen_tuning(request_for("merge", "")).variant == "shared");
    CHECK(chosen_tuning(request_for("merge", "software=yes")).variant == "multiway");
}

TEST_CASE("every family of algorithms whose values go by the device is reported", "[plan]") {
    for (const char* algorithm : {"radix", "merge", "sample"})
        for (const std::string& name : names_of(algorithm)) {
            CAPTURE(name);
            const TuningReport report = chosen_tuning(request_for(name, ""));
            REQUIRE_FALSE(report.families.empty());
            CHECK(report.families.front().name == algorithm);
        }
    // Kernels of the other families sort the tiles and the samples.
    CHECK(chosen_tuning(request_for("sample", "")).families.size() == 3);
    CHECK(chosen_tuning(request_for("bitonic:step", "")).families.empty());
}

TEST_CASE("the tuning of scenes goes by the device", "[plan][scene]") {
    Limits limits;
    const auto scan_invocations = [&limits] {
        for (const TuningReport::Value& value : scene_tuning(limits).values)
            if (value.name == "scan_invocations") return value.numbers.front();
        return std::uint64_t{0};
    };
    CHECK(scan_invocations() == 256);
    limits.software = true;
    CHECK(scan_invocations() == 64);
}

TEST_CASE("every value has a name, a unit, and a section that it was measured in", "[plan]") {
    std::string experiments;
    for (const auto& page :
         std::filesystem::directory_iterator(std::filesystem::path(GLSORT_SOURCE_DIR) / "docs" / "experiments")) {
        std::ifstream file(page.path());
        experiments.append(std::istreambuf_iterator<char>(file), {});
    }
    std::vector<TuningReport::Family> families{scene_tuning({})};
    for (const std::string& name : names_of(""))
        for (const TuningReport::Family& family : chosen_tuning(request_for(name, "")).families)
            families.push_back(family);
    for (const TuningReport::Family& family : families) {
        std::set<std::string> names;
        for (const TuningReport::Value& value : family.values) {
            CAPTURE(family.name, value.name);
            CHECK(names.insert(value.name).second);
            CHECK_FALSE(value.numbers.empty());
            CHECK_FALSE(value.unit.empty());
            CHECK(experiments.find("# " + value.measured + "\n") != std::string::npos);
        }
    }
}
