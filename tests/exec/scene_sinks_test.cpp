#include <glsort/plan/scene/key_form.h>
#include <glsort/plan/scene/scene_program.h>
#include <glsort/plan/scene/scene_sinks.h>
#include <glsort/stream/validate.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>

#include "exec/lockstep.h"
#include "support/random.h"

/// The sink program of a scene in lockstep: order, triangles, textures and results after every op.

using namespace glsort;
using namespace glsort::test;

namespace {

SceneResult looked_up() {
    return {.name = "looked up",
            .inputs = {{.name = "row", .type = SceneInput::Type::u16, .components = 3, .stride = 10, .elements = 7}},
            .values = {"scale"},
            .vectors = 2,
            .sort_result =
                "void sort_result(uint item, out uvec4 words[2]) {\n"
                "    words[0] = uvec4(scene_item(item), item, floatBitsToUint(scale().z));\n"
                "    words[1] = row_at(item % 7u);\n"
                "}\n",
            .host = nullptr};
}

SceneSpec scene_of(std::uint32_t capacity, KeyType key) {
    SceneSpec spec{.key = key,
                   .triangles = SceneTriangles{.type = SceneInput::Type::u16, .indices = 3 * capacity + 5},
                   .texture = SceneTexture{},
                   .results = {looked_up(), looked_up()}};
    for (const std::uint32_t part : {capacity / 3, 0u, capacity - capacity / 3})
        spec.sources.push_back({.capacity = part, .sort_key = "bool sort_key(uint element, out float key);"});
    spec.results[1].vectors = 1;
    spec.results[1].inputs.clear();
    spec.results[1].values.clear();
    spec.results[1].sort_result = "void sort_result(uint item, out uvec4 words[1]) { words[0] = uvec4(item); }";
    spec.results[0].host = [sources = spec.sources](const SceneElements& elements, std::uint32_t item,
                                                    std::array<Element, 4>& words) {
        const SceneItem place = item_of(sources, item);
        words[0] = {static_cast<std::uint32_t>(place.source), place.element, item,
                    std::bit_cast<std::uint32_t>(elements.value(0)[2])};
        words[1] = elements.uints(0, item % 7);
    };
    spec.results[1].host = [](const SceneElements&, std::uint32_t item, std::array<Element, 4>& words) {
        words[0] = {item, item, item, item};
    };
    return spec;
}

/// Elements of a sort: keys and items, or packed words.
StreamContents contents_of(const StreamProgram& program, const scene::KeyForm& form, std::uint32_t visible,
                           std::mt19937_64& random) {
    StreamContents contents;
    for (const Stream& stream : program.streams) {
        if (stream.role != StreamRole::input) continue;
        std::vector<std::uint32_t>& words = contents[stream.name];
        if (stream.name == "status") {
            words = {visible, 0, 0, 0};
            continue;
        }
        for (std::uint32_t i = 0; i < stream.records; ++i)
            for (std::uint32_t word = 0; word < stream.words; ++word) {
                words.push_back(static_cast<std::uint32_t>(random()));
                if (stream.name != "sorted" || word + 1 < stream.words) continue;
                const auto item = static_cast<std::uint32_t>(random() % program.n);
                words.back() = form.packed() ? words.back() << form.item_bits | item : item;
            }
    }
    return contents;
}

void set_numbers(scene::SinkPlan& plan) {
    std::vector<Counted>& corners = plan.program.ops[plan.triangles_op].parameters;
    for (std::uint32_t source = 0; source < 3; ++source) {
        corners[2 * source] = source;  // The first index. The places of sources may overlap.
        corners[2 * source + 1] = source == 1 ? 0xffffffffu : 1000 * source;
    }
    plan.program.ops[plan.results[0].op].parameters[2] = std::bit_cast<std::uint32_t>(1.5f);
}

}  // namespace

TEST_CASE("the sink program of a scene agrees with the cpu after every op", "[exec]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    in_backends("the sink program of a scene", [&](const auto& api, const Limits& limits, Backend backend) {
        using Form = SceneTexture::Form;
        for (const std::uint32_t capacity : {1u, 2u, 5u, 1023u, 1025u})
            for (const Form form : {Form::items, Form::keys_and_items, Form::four_items})
                for (const std::uint32_t bits : {0u, 10u, 32u})
                    for (const KeyType key : {KeyType::f32, KeyType::u64}) {
                        SceneSpec spec = scene_of(capacity, key);
                        spec.backend = backend;
                        spec.texture->form = form;
                        spec.triangles->corners = 1 + capacity % 3;
                        if (backend == Backend::compute && api->es) spec.texture.reset();
                        if (bits > 0 && key != KeyType::f32) continue;
                        if (bits > 0) spec.quantisation = SceneQuantisation{.key_bits = bits};
                        scene::check_spec(spec);
                        scene::SinkPlan plan = scene::plan_sinks(spec, limits);
                        set_numbers(plan);
                        validate(plan.program, limits);
                        const auto visible = static_cast<std::uint32_t>(random() % (capacity + 1));
                        INFO("capacity " << capacity << ", visible " << visible << ", form " << static_cast<int>(form)
                                         << ", bits " << bits << ", key " << to_string(key));
                        const auto executor = make_executor(api, backend, random() % 2 == 0 ? 300 : 0);
                        check_in_lockstep(api, *executor, plan.program, limits,
                                          contents_of(plan.program, scene::key_form(spec), visible, random));
                    }
    });
}
