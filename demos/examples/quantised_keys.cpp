#include <fmt/format.h>
#include <glsort/scene.h>

#include <cstdint>
#include <vector>

#include "example.h"

/// Depths as numbers of 16 bits: a faster sort, in less memory.
static int example() {
    using glsort::example::get_proc_address;
    glsort::example::Context context;
    // Two of the depths are nearly equal, and one lies behind the farthest.
    const std::uint32_t depths = context.buffer<float>({1, 30, 2, 400.5f, 400.6f, 900}, 1 << 16);
    const std::uint32_t order = context.room(1 << 16);

    // [example]
    const glsort::SceneSpec spec{
        .sources = {{.name = "smoke",
                     .capacity = 1 << 16,  // items of 16 bits, and keys of 16 bits, share a word
                     .inputs = {{.name = "depth", .components = 1}},
                     .sort_key = "bool sort_key(uint element, out float depth) {\n"
                                 "    depth = depth_at(element).x;\n"
                                 "    return true;\n"
                                 "}\n"}},
        .quantisation = glsort::SceneQuantisation{.scale = glsort::SceneQuantisation::Scale::reciprocal,  // finer near
                                                  .key_bits = 16}};
    glsort::SceneSorter sorter(spec, get_proc_address);

    // Every frame: the depths that the bits are spread over.
    sorter.sort({.sources = {{.inputs = {{depths}}, .count = 6}}, .order = {order}, .nearest = 0.5f, .farthest = 500},
                glsort::Readers::index);
    // [end]

    const std::vector<std::uint32_t> drawn = context.read({order}, 6);
    glsort::SceneSpec exact = spec;
    exact.quantisation.reset();
    const bool smaller = sorter.scratch_bytes() < glsort::SceneSorter(exact, get_proc_address).scratch_bytes();
    // Depths 400.5 and 400.6 share a number, and keep the order of their items.
    return glsort::example::conclude(sorter, smaller && drawn == std::vector<std::uint32_t>{5, 3, 4, 1, 2, 0},
                                     fmt::format("From back to front: {}, in {} scratch memory than keys of 32 bits",
                                                 fmt::join(drawn, " "), smaller ? "less" : "more"));
}

int main() {
    return glsort::example::run(example);
}
