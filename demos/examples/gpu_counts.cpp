#include <fmt/format.h>
#include <glsort/scene.h>

#include <cstdint>
#include <vector>

#include "example.h"

/// As many particles as a counter in GPU memory says, drawn by an indirect command. No number reaches the CPU.
static int example() {
    using glsort::example::get_proc_address;
    glsort::example::Context context;
    const std::uint32_t depths = context.buffer<float>({4, 8, 6, 7}, 1000);
    // Shaders of a simulation would write these counters.
    const std::uint32_t alive = context.buffer<std::uint32_t>({3});
    const std::uint32_t too_many = context.buffer<std::uint32_t>({5000});
    const std::uint32_t order = context.room(1000);
    const std::uint32_t command = context.room(5);

    // [example]
    glsort::SceneSorter sorter({.sources = {{.name = "smoke",
                                             .capacity = 1000,
                                             .gpu_count = true,
                                             .inputs = {{.name = "depth", .components = 1}},
                                             .sort_key = "bool sort_key(uint element, out float depth) {\n"
                                                         "    depth = depth_at(element).x;\n"
                                                         "    return depth > 0.1;  // in front of the camera\n"
                                                         "}\n"}},
                                // For glDrawElementsIndirect(GL_POINTS, GL_UNSIGNED_INT, nullptr): an index an item.
                                .commands = {{.kind = glsort::SceneCommand::Kind::elements, .per_item = 1}}},
                               get_proc_address);

    // Every frame: the buffer alive holds a u32.
    sorter.sort({.sources = {{.inputs = {{depths}}, .gpu_count = {alive}}}, .order = {order}, .commands = {{command}}},
                glsort::Readers::index | glsort::Readers::indirect);
    // [end]

    const std::vector<std::uint32_t> drawn = context.read({order}, 3);
    const std::vector<std::uint32_t> words = context.read({command}, 5);
    // A count above the capacity is clamped, and the status says so. Here, depths behind the fourth are 0.
    sorter.sort(
        {.sources = {{.inputs = {{depths}}, .gpu_count = {too_many}}}, .order = {order}, .commands = {{command}}});
    const std::vector<std::uint32_t> status = context.read(sorter.status(), 2);
    return glsort::example::conclude(
        sorter,
        drawn == std::vector<std::uint32_t>{1, 2, 0} && words == std::vector<std::uint32_t>{3, 1, 0, 0, 0} &&
            status == std::vector<std::uint32_t>{4, 1},
        fmt::format("The command draws {} particles, from back to front: {}. A count of 5000 was {}", words[0],
                    fmt::join(drawn, " "), status[1] == 1 ? "clamped" : "taken"));
}

int main() {
    return glsort::example::run(example);
}
