#include <fmt/format.h>
#include <glsort/scene.h>

#include <array>
#include <cstdint>
#include <vector>

#include "example.h"

/// Particles from back to front. GLSL of your own computes the depths from your buffer.
static int example() {
    using glsort::example::get_proc_address;
    glsort::example::Context context;
    // A position and an age for each particle.
    const std::uint32_t smoke = context.buffer<std::array<float, 4>>(
        {{0, 0, -5, 1}, {1, 0, -20, 2}, {0, 2, -1, 3}, {4, 4, -9, 4}, {0, 0, -70, 99}}, 1000);
    const std::uint32_t order = context.room(1000);

    // [example]
    glsort::SceneSorter sorter(
        {.sources = {{.name = "smoke",
                      .capacity = 1000,  // particles at most
                      .inputs = {{.name = "position", .components = 3, .stride = 16},
                                 {.name = "age", .components = 1, .stride = 16, .offset = 12}},
                      .values = {"depth_row"},  // changes every frame
                      .sort_key = "bool sort_key(uint element, out float depth) {\n"
                                  "    depth = dot(depth_row(), position_at(element));\n"
                                  "    return age_at(element).x < 60.0;  // older smoke is not drawn\n"
                                  "}\n"}},
         .key = glsort::KeyType::f32,
         .direction = glsort::Direction::descending},  // the farthest first
        get_proc_address);

    // Every frame: both inputs lie in one buffer.
    const std::array<float, 4> depth_row{0, 0, -1, 0};  // the third row of the view matrix, negated
    sorter.sort({.sources = {{.inputs = {{smoke}, {smoke}}, .count = 5, .values = {depth_row}}}, .order = {order}},
                glsort::Readers::index);
    // [end]

    const std::vector<std::uint32_t> drawn = context.read({order}, context.read(sorter.status(), 1)[0]);
    return glsort::example::conclude(
        sorter, drawn == std::vector<std::uint32_t>{1, 3, 0, 2},
        fmt::format("{} of 5 particles are drawn, from back to front: {}", drawn.size(), fmt::join(drawn, " ")));
}

int main() {
    return glsort::example::run(example);
}
