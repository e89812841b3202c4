#include <glsort/scene.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "example.h"

/// Smoke and fire in one order: each with buffers and keys of its own.
static int example() {
    using glsort::example::get_proc_address;
    glsort::example::Context context;
    // A position and an age for each particle of the smoke. Particles of the fire are depths only.
    const std::uint32_t smoke =
        context.buffer<std::array<float, 4>>({{0, 0, -5, 1}, {1, 0, -20, 2}, {0, 2, -1, 3}}, 1000);
    const std::uint32_t fire = context.buffer<float>({3, 30}, 500);
    const std::uint32_t order = context.room(1000 + 500);

    // [example]
    const std::vector<glsort::SceneSource> sources{{.name = "smoke",
                                                    .capacity = 1000,
                                                    .inputs = {{.name = "position", .components = 3, .stride = 16}},
                                                    .sort_key = "bool sort_key(uint element, out float depth) {\n"
                                                                "    depth = -position_at(element).z;\n"
                                                                "    return true;\n"
                                                                "}\n"},
                                                   {.name = "fire",
                                                    .capacity = 500,
                                                    .inputs = {{.name = "depth", .components = 1}},
                                                    .sort_key = "bool sort_key(uint element, out float depth) {\n"
                                                                "    depth = depth_at(element).x;\n"
                                                                "    return true;\n"
                                                                "}\n"}};
    glsort::SceneSorter sorter({.sources = sources}, get_proc_address);
    // The order is the index buffer of the draw: the number of a vertex is the number of an item.
    const std::string vertex_shader = "#version 330 core\n" + glsort::item_glsl(sources) +
                                      "flat out uvec2 item;\n"
                                      "void main() {\n"
                                      "    item = scene_item(uint(gl_VertexID));  // source and element\n"
                                      "    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);  // look the position up here\n"
                                      "}\n";

    // Every frame.
    sorter.sort({.sources = {{.inputs = {{smoke}}, .count = 3}, {.inputs = {{fire}}, .count = 2}}, .order = {order}},
                glsort::Readers::index);
    // [end]

    const std::vector<std::array<std::uint32_t, 2>> drawn = context.draw(vertex_shader, order, 5);
    std::string text = "From back to front:";
    bool numbered = true;
    const std::vector<std::uint32_t> items = context.read({order}, 5);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        text += " " + sources.at(drawn[i][0]).name + " " + std::to_string(drawn[i][1]);
        // The CPU can take an item apart, too.
        numbered = numbered && glsort::item_of(sources, items[i]) == glsort::SceneItem{drawn[i][0], drawn[i][1]};
    }
    return glsort::example::conclude(
        sorter, numbered && text == "From back to front: fire 1 smoke 1 smoke 0 fire 0 smoke 2", text);
}

int main() {
    return glsort::example::run(example);
}
