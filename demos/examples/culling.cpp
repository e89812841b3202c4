#include <fmt/format.h>
#include <glsort/scene.h>

#include <array>
#include <cstdint>
#include <vector>

#include "example.h"

/// What a camera sees, from back to front.
static int example() {
    using glsort::example::get_proc_address;
    glsort::example::Context context;
    // A position and a radius for each particle: visible, behind the camera, visible, too far, too small.
    const std::uint32_t smoke = context.buffer<std::array<float, 4>>(
        {{0, 0, -5, 1}, {0, 0, 5, 1}, {0, 9, -50, 1}, {0, 0, -200, 1}, {0, 0, -70, 0.01f}}, 1000);
    const std::uint32_t order = context.room(1000);
    // At the origin, with an angle of 90 degrees, from depth 1 to depth 100.
    const std::array<float, 16> view{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const std::array<float, 16> projection{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -101.0f / 99, -1, 0, 0, -200.0f / 99, 0};

    // [example]
    glsort::SceneSource source{.name = "smoke",
                               .capacity = 1000,
                               .inputs = {{.name = "position", .components = 3, .stride = 16},
                                          {.name = "radius", .components = 1, .stride = 16, .offset = 12}}};
    // By depth. What lies outside of the frustum is left out, and what is smaller than some pixels.
    const glsort::ViewKeys keys{.radius = "radius", .frustum = true, .small = true};
    glsort::compute_view_keys(source, keys);
    glsort::SceneSorter sorter({.sources = {source}}, get_proc_address);

    // Every frame.
    const glsort::View camera{.view = view, .projection = projection, .viewport_height = 1080, .min_pixels = 2};
    sorter.sort({.sources = {{.inputs = {{smoke}, {smoke}}, .count = 5, .values = glsort::view_values(keys, camera)}},
                 .order = {order}},
                glsort::Readers::index | glsort::Readers::transfer);
    const glsort::BufferSlice visible = sorter.status();  // a buffer: the first u32 is the number of visible particles
    // [end]

    const std::vector<std::uint32_t> drawn = context.read({order}, context.read(visible, 1)[0]);
    return glsort::example::conclude(
        sorter, drawn == std::vector<std::uint32_t>{2, 0},
        fmt::format("The camera sees {} of 5 particles, from back to front: {}", drawn.size(), fmt::join(drawn, " ")));
}

int main() {
    return glsort::example::run(example);
}
