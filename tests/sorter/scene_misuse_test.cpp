#include <glsort/plan/scene/scene_program.h>

#include <array>

#include "sorter/between_calls.h"
#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "support/random.h"

/// Scenes that cannot be, and calls that cannot be, are refused with names, values and limits.

namespace glsort::test {
namespace {

using Catch::Contains;

SceneSpec small_scene(const Place& place) {
    return {.sources = {weighted(100), weighted(50)}, .key = KeyType::u32, .backend = place.backend};
}

TEST_CASE("scenes that cannot be are refused at construction", "[scene]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const auto refusal = [&](const auto& change) {
            SceneSpec spec = small_scene(place);
            change(spec);
            return error_of([&] { SceneSorter(spec, context.get_proc_address()); });
        };
        INFO(describe(place));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources.clear(); }),
                   Contains("SceneSorter::SceneSorter: 0 sources; there must be 1 to 64"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources.resize(65, spec.sources[0]); }), Contains("65 sources"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.key = KeyType::f64; }), Contains("key f64; it must be f32"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[0].capacity = spec.sources[1].capacity = 0; }),
                   Contains("the capacities add up to 0"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[0].capacity = 0xffffffffu; }),
                   Contains("source 0 (weighted): input 0: 4294967295 elements take"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[1].inputs[0].name = "my data"; }),
                   Contains("source 1 (weighted): input 0: \"my data\" is not a name in GLSL"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[1].inputs[0].name = "gl_data"; }),
                   Contains("names that begin with gl_ are reserved"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[1].inputs[0].name = "data_"; }),
                   Contains("\"data__at\" is not a name in GLSL"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[1].inputs[0].components = 5; }),
                   Contains("components 5; it must be 1 to 4"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[1].inputs[0].stride = 7; }),
                   Contains("stride 7 is not a multiple of 2 bytes"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[1].inputs[0].offset = 3; }),
                   Contains("offset 3 is not a multiple of 2 bytes"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[0].inputs.push_back(spec.sources[0].inputs[0]); }),
                   Contains("inputs 0 and 1 are both named data"));
        CHECK_THAT(refusal([](SceneSpec& spec) {
                       spec.sources[1].values = {"row", "row"};
                   }),
                   Contains("source 1 (weighted): values 0 and 1 are both named row"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[1].values = {"row 0"}; }),
                   Contains("value 0: \"row 0\" is not a name in GLSL"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.sources[1].values.resize(17, "row"); }),
                   Contains("17 values; the limit is 16"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.algorithm = "abisort"; }), Contains("abisort"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.backend = Backend::cpu; }), Contains("backend cpu"));
        CHECK_THAT(refusal([](SceneSpec& spec) {
                       for (std::size_t i = 0; i < 20; ++i) {
                           spec.sources[0].inputs.push_back(spec.sources[0].inputs[0]);
                           spec.sources[0].inputs.back().name = fmt::format("more_{}", i);
                       }
                   }),
                   Contains("21 inputs exceed the limit of "));
        SorterOptions options;
        options.caller_scratch = true;
        CHECK_THAT(error_of([&] { SceneSorter(small_scene(place), context.get_proc_address(), options); }),
                   Contains("SceneSorter::SceneSorter: ") && Contains("caller_scratch"));
        context.require_clean("scenes that cannot be");
    }
}

/// Sources whose input is in a texture: no size of an input limits the capacities of the specification.
SceneSpec scene_of_textures(const Place& place, const std::vector<std::uint32_t>& capacities) {
    SceneSpec spec{.sources = {}, .key = KeyType::u32, .backend = place.backend};
    for (const std::uint32_t capacity : capacities)
        spec.sources.push_back({.name = "in a texture",
                                .capacity = capacity,
                                .inputs = {{.name = "data", .type = SceneInput::Type::u32, .medium = Medium::texture}},
                                .sort_key = even_weights});
    return spec;
}

TEST_CASE("more items than a scene can number are refused", "[scene]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        const auto refusal = [&](const std::vector<std::uint32_t>& capacities) {
            return error_of([&] { SceneSorter(scene_of_textures(place, capacities), context.get_proc_address()); });
        };
        CHECK_THAT(refusal({0xffffffffu}), Contains("SceneSorter::SceneSorter: the capacities add up to 4294967295; "
                                                    "the sum must be 1 to 4294967294"));
        CHECK_THAT(refusal({0x80000000u, 0x7fffffffu}), Contains("the capacities add up to 4294967295; "));
        // In 32 bits, these sums would be 0, 1 and the largest sum that a scene may have.
        CHECK_THAT(refusal({0x80000000u, 0, 0x80000000u}), Contains("the capacities add up to 4294967296; "));
        CHECK_THAT(refusal({0xfffffffeu, 3}), Contains("the capacities add up to 4294967297; "));
        CHECK_THAT(refusal({0xffffffffu, 0xffffffffu}), Contains("the capacities add up to 8589934590; "));
        CHECK_THAT(refusal(std::vector<std::uint32_t>(64, 0xffffffffu)),
                   Contains("the capacities add up to 274877906880; "));
        // No device holds this scene. The check comes before a device is asked.
        CHECK(error_of([&] {
                  scene::check_spec(scene_of_textures(place, {0x7fffffffu, 0, 0x7fffffffu}));
              }) == "(nothing thrown)");
        SceneSorter sorter(scene_of_textures(place, {5, 7}), context.get_proc_address());
        CHECK_THAT(error_of([&] {
                       sorter.reserve(std::array{0x7fffffffu, 0x80000000u});
                   }),
                   Contains("SceneSorter::reserve: the capacities add up to 4294967295; the sum must be 1 to "
                            "4294967294"));
        CHECK(sorter.spec().sources[1].capacity == 7);
        context.require_clean("more items than a scene can number");
    }
}

TEST_CASE("more corners than an index buffer can have are refused", "[scene]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const auto scene_of = [&](std::uint32_t corners, const std::vector<std::uint32_t>& capacities) {
            SceneSpec spec = scene_of_textures(place, capacities);
            spec.triangles = SceneTriangles{.indices = 1, .corners = corners};
            return spec;
        };
        const auto refusal = [&](std::uint32_t corners, const std::vector<std::uint32_t>& capacities) {
            return error_of([&] { SceneSorter(scene_of(corners, capacities), context.get_proc_address()); });
        };
        const auto fits = [&](std::uint32_t corners, const std::vector<std::uint32_t>& capacities) {
            return error_of([&] { scene::check_spec(scene_of(corners, capacities)); }) == "(nothing thrown)";
        };
        INFO(describe(place));
        CHECK_THAT(refusal(3, {1431655766}), Contains("SceneSorter::SceneSorter: triangles: the capacities add up to "
                                                      "1431655766 items; the limit is 1431655765"));
        CHECK_THAT(refusal(3, {1431655765, 1}), Contains("1431655766 items; the limit is 1431655765"));
        CHECK(fits(3, {1431655764, 1}));
        CHECK_THAT(refusal(2, {0x40000000u, 0x40000000u}), Contains("2147483648 items; the limit is 2147483647"));
        CHECK(fits(2, {0x40000000u, 0x3fffffffu}));
        // For points, the limit of all scenes is lower.
        CHECK(fits(1, {0xfffffffeu}));
        CHECK_THAT(refusal(1, {0xffffffffu}), Contains("the sum must be 1 to 4294967294"));
        context.require_clean("more corners than an index buffer can have");
    }
}

TEST_CASE("what is wrong with the GLSL of a source is told by its name and line", "[scene]") {
    struct Case {
        const char* glsl;
        const char* place;
        const char* word;
    };
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const Case& c :
             {Case{"// By depth.\nbool sort_key(uint element, out uint key) {\n    key = depth;\n"
                   "    return true;\n}\n",
                   "weighted:3: ", "depth"},
              Case{"bool sort_key(uint element, out uint key) {\n    key = 1u;\n"
                   "    return weight_at(element).x > 0u;\n}\n",
                   "weighted:3: ", "weight_at"},
              Case{"bool sort_key(uint element, out float key) { key = 1.0; return true; }\n", "weighted", "sort_key"},
              Case{"bool key_of(uint element, out uint key) { key = 1u; return true; }\n", "weighted", "sort_key"}}) {
            SceneSpec spec = small_scene(place);
            spec.sources[0].sort_key = c.glsl;
            const std::string message = error_of([&] { SceneSorter(spec, context.get_proc_address()); });
            INFO(describe(place) << ": " << c.glsl << message);
            CHECK_THAT(message, Contains("SceneSorter::SceneSorter: ") && Contains("source weighted") &&
                                    Contains("bool sort_key(uint element, out uint key)"));
            CHECK_THAT(message, Contains(c.place) && Contains(c.word));
            CHECK_THAT(message, !Contains("shaders/"));
            CHECK(context.driver().GetError() == GL_NO_ERROR);
            context.clear();
        }
        context.require_clean("wrong sources");
    }
}

TEST_CASE("calls of a scene that cannot be are refused, and change nothing", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SceneSpec spec = small_scene(place);
        spec.sources[1].gpu_count = true;
        const std::vector<Filled> contents = {filled(100, 3, random), filled(50, 3, random)};
        SceneCaller caller(context.gl(), spec, contents, {100, 50});
        SceneSorter sorter(spec, context.get_proc_address());
        const auto written = [&] {
            Words words = caller.read(sorter.status(), 4);
            const Words order = caller.read(caller.arguments.order, 150);
            words.insert(words.end(), order.begin(), order.end());
            return words;
        };
        sorter.sort(caller.arguments);
        const Words all = written();
        SceneArguments fewer = caller.arguments;
        fewer.sources[0].count = 0;
        sorter.sort(fewer);
        REQUIRE(written() != all);
        const auto refusal = [&](const auto& change) {
            SceneArguments arguments = caller.arguments;
            change(arguments);
            return refusal_of(context, sorter, arguments, written);
        };
        INFO(describe(place));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources.pop_back(); }),
                   Contains("SceneSorter::sort: 1 sources are given; the specification has 2"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].count = 101; }),
                   Contains("sources[0].count 101 exceeds the capacity 100"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[1].count = 1; }),
                   Contains("sources[1].count 1 is given, but the source was made with gpu_count"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].gpu_count = a.order; }),
                   Contains("but the source was made without gpu_count"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].inputs.clear(); }),
                   Contains("sources[0].inputs has 0 slices; the specification has 1"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].inputs[0].name = 0; }),
                   Contains("sources[0].inputs[0] (data).name 0 is not a buffer"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].inputs[0].offset = 6; }),
                   Contains("sources[0].inputs[0] (data).offset 6 is not a multiple of 4 bytes"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].inputs[0].offset = 12; }),
                   Contains("reaches past the end"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.order.offset = 16; }),
                   Contains("order") && Contains("past the end"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[1].inputs[0] = a.order; }), Contains("order"));
        CHECK_THAT(refusal([](SceneArguments& a) {
                       a.sources[1].gpu_count = {a.order.name, 8};
                   }),
                   Contains("sources[1].gpu_count and order overlap"));
        SceneSorter other = std::move(sorter);
        // NOLINTNEXTLINE(bugprone-use-after-move)
        CHECK_THAT(error_of([&] { sorter.sort(caller.arguments); }), Contains("was moved from, or abandoned"));
        sorter = std::move(other);
        sorter.sort(caller.arguments);
        CHECK(caller.wrong(sorter, expected_order(spec, contents, {100, 50}), false) == "");
        context.require_clean("calls that cannot be");
    }
}

TEST_CASE("a scene that is refused changes nothing", "[scene]") {
    std::mt19937_64 random(1);
    for (const Tier tier : {Tier::gl45, Tier::es31}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        // The result of 1024 items fills a storage block.
        context.limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 14);
        GlSpy spy(context);
        spy.replace(
            "glGetIntegerv", +[](GLenum name, GLint* value) {
                GlSpy::gl().GetIntegerv(name, value);
                if (name == GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT) *value = 256;
            });
        SceneSpec spec{.sources = {weighted(1024)}, .key = KeyType::u32, .backend = Backend::compute};
        spec.results = {item_numbers()};
        SceneSorter sorter(spec, spy.loader());
        SceneCaller caller(context.gl(), spec, {filled(1024, 0, random)}, {1024});
        const GLuint target = caller.buffer(Words(4 * 1024 + 4));
        caller.arguments.results = {{.target = {target, 0}}};
        sorter.sort(caller.arguments);
        CHECK(caller.read(sorter.status(), 1) == Words{1024});
        caller.arguments.sources[0].count = 10;
        caller.arguments.results[0].target.offset = 16;
        CHECK_THAT(error_of([&] { sorter.sort(caller.arguments); }), Contains("offset 16 needs a storage block"));
        CHECK(caller.read(sorter.status(), 1) == Words{1024});
        context.unlimit();
        context.require_clean("refused scenes");
    }
}

}  // namespace
}  // namespace glsort::test
