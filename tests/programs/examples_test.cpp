#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>

#include "process.h"
#include "support/headless_context.h"
#include "support/paths.h"

/// The examples of docs/guide/scenes.md find what they say, on both backends.

namespace glsort::test {
namespace {

/// What the examples print before the backend.
const std::map<std::string, std::string>& expected() {
    static const std::map<std::string, std::string> lines = {
        {"example_computed_keys", "4 of 5 particles are drawn, from back to front: 1 3 0 2"},
        {"example_culling", "The camera sees 2 of 5 particles, from back to front: 2 0"},
        {"example_gpu_counts", "The command draws 3 particles, from back to front: 1 2 0. A count of 5000 was clamped"},
        {"example_several_objects", "From back to front: fire 1 smoke 1 smoke 0 fire 0 smoke 2"},
        {"example_sinks", "The command draws 6 indices, the blue triangle before the red one: 3 4 5 0 1 2"},
        {"example_quantised_keys", "From back to front: 5 3 4 1 2 0, in less scratch memory than keys of 32 bits"}};
    return lines;
}

std::map<std::string, std::string> examples() {
    std::map<std::string, std::string> paths;
    std::istringstream list(EXAMPLE_PATHS);
    for (std::string path; std::getline(list, path, ':');)
        paths.emplace(std::filesystem::path(path).filename().string(), paths::program(path));
    return paths;
}

/// Mesa's drivers can be held to a version.
bool is_mesa() {
    const demo::HeadlessContext context({.major = 3, .minor = 3});
    return context.version_string().find("Mesa") != std::string::npos;
}

TEST_CASE("the examples of scenes run on both backends", "[programs]") {
    const Environment old{{"MESA_GL_VERSION_OVERRIDE", "3.3"}, {"MESA_GLSL_VERSION_OVERRIDE", "330"}};
    const bool mesa = is_mesa();
    CHECK(examples().size() == expected().size());
    for (const auto& [name, path] : examples()) {
        REQUIRE(expected().count(name) == 1);
        const std::string line = expected().at(name);
        for (const bool held_back : {false, true}) {
            INFO(name << (held_back ? " on OpenGL 3.3" : ""));
            const Result result = run_program(path, {}, held_back ? old : Environment{});
            CHECK(result.err == "");
            CHECK(result.code == 0);
            if (mesa && held_back) {
                CHECK(result.out == line + " (fragment)\n");
            } else {
                CHECK((result.out == line + " (compute)\n" || result.out == line + " (fragment)\n"));
            }
        }
    }
}

TEST_CASE("an example without a context says why, and exits with 1", "[programs]") {
    for (const auto& [name, path] : examples()) {
        CAPTURE(name);
        // EGL then finds no driver.
        const Result result = run_program(path, {}, {{"__EGL_VENDOR_LIBRARY_FILENAMES", "/no/such/vendor.json"}});
        CHECK(result.code == 1);
        CHECK(result.out == "");
        CHECK(result.err.ends_with("\n"));
        CHECK(result.err.find("terminate") == std::string::npos);
    }
}

}  // namespace
}  // namespace glsort::test
