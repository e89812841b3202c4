#include <glsort/scene.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "support/errors.h"

/// What is printed about the program of a scene, and what it costs.

namespace glsort::test {
namespace {

SceneSpec scene_of_positions(Backend backend, std::uint32_t capacity) {
    SceneSource source{.capacity = capacity, .inputs = {{.name = "position"}}};
    compute_view_keys(source, {});
    SceneSpec spec{.backend = backend, .commands = {{}}};
    spec.sources = {source};
    return spec;
}

TEST_CASE("the program of a scene is printed and costed", "[scene]") {
    for (const Backend backend : {Backend::compute, Backend::fragment})
        for (const std::uint32_t capacity : {1000u, 100000u}) {
            INFO(to_string(backend) << ", capacity " << capacity);
            const CpuSceneSorter sorter(scene_of_positions(backend, capacity));
            const StreamProgram& program = sorter.program();
            const std::string text = to_text(program);
            const std::string table = to_table(program);
            for (const Op& op : program.ops) {
                INFO(op.kernel->name);
                CHECK_THAT(text, Catch::Contains(op.kernel->name));
                CHECK_THAT(table, Catch::Contains(op.kernel->name));
            }
            const Cost found = cost(program);
            CHECK(found.ops == program.ops.size());
            // Each position is read, each key and each item is written.
            CHECK(found.bytes_read >= std::uint64_t{16} * capacity);
            CHECK(found.bytes_written >= std::uint64_t{8} * capacity);
            // Sorts of so few elements move them a few times.
            CHECK(found.bytes_read < std::uint64_t{300} * capacity);
            CHECK(found.bytes_written < std::uint64_t{120} * capacity);
        }
}

}  // namespace
}  // namespace glsort::test
