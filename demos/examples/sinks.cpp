#include <fmt/format.h>
#include <glsort/scene.h>

#include <array>
#include <cstdint>
#include <vector>

#include "example.h"

/// Triangles of a mesh from back to front: an index buffer, the command of the draw, and a colour for each triangle.
static int example() {
    using glsort::example::get_proc_address;
    glsort::example::Context context;
    // Two triangles in front of the camera, one behind.
    const std::uint32_t vertices = context.buffer<std::array<float, 3>>(
        {{0, 0, -3}, {1, 0, -3}, {0, 1, -3}, {0, 0, -8}, {1, 0, -8}, {0, 1, -8}, {0, 0, 5}, {1, 0, 5}, {0, 1, 5}});
    const std::uint32_t corners = context.buffer<std::array<std::uint32_t, 3>>({{0, 1, 2}, {8, 7, 6}, {3, 4, 5}});
    const std::uint32_t colours = context.buffer<std::array<float, 4>>({{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0, 1, 1}});
    const std::uint32_t sorted_corners = context.room(9);
    const std::uint32_t sorted_colours = context.room(12);
    const std::uint32_t command = context.room(5);
    const std::array<float, 16> view{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const std::array<float, 16> projection{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -101.0f / 99, -1, 0, 0, -200.0f / 99, 0};

    // [example]
    // Three triangles of nine vertices.
    glsort::SceneSource mesh{.name = "mesh",
                             .capacity = 3,
                             .inputs = {{.name = "position", .components = 3, .elements = 9},
                                        {.name = "corner", .type = glsort::SceneInput::Type::u32, .components = 3}}};
    const glsort::ViewKeys keys{.corners = "corner"};  // the depth of the centroid
    glsort::compute_view_keys(mesh, keys);
    glsort::SceneSorter sorter({.sources = {mesh},
                                .commands = {{.per_item = 3}},  // three indices a triangle
                                .order = false,                 // the numbers of the triangles are not needed
                                .triangles = glsort::SceneTriangles{.indices = 9},
                                .results = {{.name = "colours",
                                             .inputs = {{.name = "colour", .components = 4, .elements = 3}},
                                             .sort_result = "void sort_result(uint item, out uvec4 words[1]) {\n"
                                                            "    vec4 colour = colour_at(scene_item(item).y);\n"
                                                            "    words[0] = floatBitsToUint(colour);\n"
                                                            "}\n"}}},
                               get_proc_address);

    // Every frame. The draw reads the colour of a triangle by gl_PrimitiveID, from a buffer texture.
    const glsort::View camera{.view = view, .projection = projection};
    sorter.sort(
        {.sources = {{.inputs = {{vertices}, {corners}}, .count = 3, .values = glsort::view_values(keys, camera)}},
         .indices = {corners},
         .triangles = {sorted_corners},
         .results = {{.inputs = {{colours}}, .target = {sorted_colours}}},
         .commands = {{command}}},
        glsort::Readers::index | glsort::Readers::indirect | glsort::Readers::texture);
    // [end]

    const std::vector<std::uint32_t> words = context.read({command}, 5);
    const std::vector<std::uint32_t> indices = context.read({sorted_corners}, 6);
    const std::vector<std::uint32_t> found = context.read({sorted_colours}, 8);
    const std::uint32_t one = 0x3f800000;  // the bits of 1.0
    return glsort::example::conclude(
        sorter,
        words == std::vector<std::uint32_t>{6, 1, 0, 0, 0} && indices == std::vector<std::uint32_t>{3, 4, 5, 0, 1, 2} &&
            found == std::vector<std::uint32_t>{0, 0, one, one, one, 0, 0, one},
        fmt::format("The command draws {} indices, the blue triangle before the red one: {}", words[0],
                    fmt::join(indices, " ")));
}

int main() {
    return glsort::example::run(example);
}
