#include <bit>

#include "sorter/between_calls.h"
#include "sorter/capture.h"
#include "sorter/scenes.h"
#include "support/compile.h"
#include "support/random.h"
#include "support/state_names.h"

/// What becomes of the order of a scene: index buffers of triangles, textures, results of the caller's GLSL.

namespace glsort::test {
namespace {

using Catch::Contains;
using TextureForm = SceneTexture::Form;

constexpr std::uint32_t mark = 0x1badb002u;
constexpr std::uint32_t no_item = 0xffffffffu;

/// Two emitters and one without particles.
SceneSpec emitters(const Place& place) {
    SceneSpec spec{
        .sources = {weighted(900), weighted(0), weighted(700)}, .key = KeyType::u32, .backend = place.backend};
    spec.sources[2].gpu_count = true;
    return spec;
}

SceneCaller caller_of(TestContext& context, const SceneSpec& spec, const std::vector<Filled>& contents) {
    return {context.gl(), spec, contents, {800, 0, 650}};
}

/// The words of a buffer between two words that must not have changed.
Words between_marks(const SceneCaller& caller, const BufferSlice& slice, std::size_t words) {
    Words all = caller.read({slice.name, slice.offset - 4}, words + 2);
    CHECK(all.front() == mark);
    CHECK(all.back() == mark);
    return {all.begin() + 1, all.end() - 1};
}

/// A buffer with room for words, at a byte of that alignment, between marks.
BufferSlice marked(SceneCaller& caller, std::size_t words, std::uint64_t alignment) {
    return {caller.buffer(Words(words + alignment / 4 + 1, mark)), alignment};
}

TEST_CASE("corners of triangles, lines and points become an index buffer in the order of the items", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const auto type : {SceneInput::Type::u32, SceneInput::Type::u16})
            for (const std::uint32_t corners : {3u, 2u, 1u}) {
                const bool order = corners != 2;  // once without
                SceneSpec spec = emitters(place);
                spec.order = order;
                spec.triangles = SceneTriangles{.type = type, .indices = corners * (700 + 900) + 7, .corners = corners};
                const std::vector<Filled> contents = {filled(900, 4, random), filled(0, 0, random),
                                                      filled(700, 4, random)};
                SceneCaller caller = caller_of(context, spec, contents);
                Words indices(spec.triangles->indices);
                for (std::uint32_t& index : indices)
                    index = static_cast<std::uint32_t>(random() % 0x10000);
                Words stored{mark};
                const bool is_short = type == SceneInput::Type::u16;
                for (std::size_t i = 0; i < indices.size(); i += is_short ? 2 : 1)
                    stored.push_back(is_short ? indices[i] | (i + 1 < indices.size() ? indices[i + 1] << 16 : 0)
                                              : indices[i]);
                caller.arguments.indices = {caller.buffer(stored), 4};
                caller.arguments.triangles = marked(caller, std::size_t{corners} * 1600, corners == 2 ? 8 : 4);
                std::vector<SceneArguments::Source>& sources = caller.arguments.sources;
                sources[0].first_index = 7 + 700 * corners;
                sources[0].base_vertex = 100000;
                sources[1].first_index = 123456789;  // no elements, so no corners
                sources[2].first_index = 7;
                sources[2].base_vertex = -5;
                if (!order) caller.arguments.order = {};
                SceneSorter sorter(spec, context.get_proc_address());
                INFO(describe(place) << ", " << (is_short ? "u16" : "u32") << ", corners " << corners);
                for (int repeat = 0; repeat < 2; ++repeat) {
                    sorter.sort(caller.arguments);
                    const Words items = expected_order(spec, contents, {800, 0, 650});
                    if (order) CHECK(caller.wrong(sorter, items, false) == "");
                    Words found = between_marks(caller, caller.arguments.triangles, std::size_t{corners} * 1600);
                    found.resize(corners * items.size());
                    Words expected;
                    for (const std::uint32_t item : items) {
                        const SceneItem where = item_of(spec.sources, item);
                        for (std::uint32_t corner = 0; corner < corners; ++corner)
                            expected.push_back(
                                indices[sources[where.source].first_index + corners * where.element + corner] +
                                static_cast<std::uint32_t>(sources[where.source].base_vertex));
                    }
                    CHECK(difference(expected, found, "corners") == "");
                    // Another place in the same buffers.
                    std::swap(sources[0].base_vertex, sources[2].base_vertex);
                    context.require_clean("triangles of a scene");
                }
            }
    }
}

TEST_CASE("the order goes to textures of three forms, with marks behind", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        for (const TextureForm form : {TextureForm::items, TextureForm::keys_and_items, TextureForm::four_items})
            for (const bool order : {true, false}) {
                SceneSpec spec = emitters(place);
                spec.order = order;
                spec.texture = SceneTexture{.form = form};
                SceneSorter sorter(spec, context.get_proc_address());
                const std::uint32_t channels = form == TextureForm::items            ? 1
                                               : form == TextureForm::keys_and_items ? 2
                                                                                     : 4;
                const std::uint32_t texels = form == TextureForm::four_items ? 400 : 1600;
                // A width that is no power of two, and rows behind the last.
                const TextureView shape{.width = 37, .height = texels / 37 + 3};
                CallerTexture texture(context.gl(), shape, channels,
                                      Words(std::size_t{37} * shape.height * channels, mark));
                for (const std::uint32_t hidden : {2u, 9u, 10u}) {
                    const std::vector<Filled> contents = {filled(900, hidden, random), filled(0, 0, random),
                                                          filled(700, hidden, random)};
                    SceneCaller caller = caller_of(context, spec, contents);
                    caller.arguments.texture = texture.view();
                    if (!order) caller.arguments.order = {};
                    sorter.sort(caller.arguments);
                    const Words items = expected_order(spec, contents, {800, 0, 650});
                    Words expected(texture.expected.size(), mark);
                    for (std::uint32_t i = 0; i < 1600; ++i) {
                        const bool visible = i < items.size();
                        if (form == TextureForm::keys_and_items) {
                            const SceneItem where = visible ? item_of(spec.sources, items[i]) : SceneItem{};
                            expected[std::size_t{2} * i] = visible ? contents[where.source].weights[where.element] : 0;
                        }
                        const std::size_t word = form == TextureForm::keys_and_items ? std::size_t{2} * i + 1 : i;
                        expected[word] = visible ? items[i] : no_item;
                    }
                    INFO(describe(place) << ", form " << static_cast<int>(form) << ", hidden " << hidden << ", order "
                                         << order);
                    CHECK(difference(expected, texture.read(), "texture") == "");
                    if (order) CHECK(caller.wrong(sorter, items, false) == "");
                    context.require_clean("the order of a scene in a texture");
                }
            }
    }
}

SceneResult instances(std::uint32_t vectors) {
    SceneResult result{.name = "instances",
                       .inputs = {{.name = "colour", .type = SceneInput::Type::u16, .components = 3, .elements = 5}},
                       .values = {"fade"},
                       .vectors = vectors};
    result.sort_result = fmt::format(
        "void sort_result(uint item, out uvec4 words[{}]) {{\n"
        "    words[0] = uvec4(scene_item(item), item, floatBitsToUint(fade().y));\n",
        vectors);
    for (std::uint32_t i = 1; i < vectors; ++i)
        result.sort_result += fmt::format("    words[{0}] = colour_at(item % 5u) + {0}u;\n", i);
    result.sort_result += "}\n";
    return result;
}

TEST_CASE("the caller's GLSL writes results in the order of the items, in any state", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SceneSpec spec = emitters(place);
        for (std::uint32_t vectors = 1; vectors <= 4; ++vectors)
            spec.results.push_back(instances(vectors));
        spec.triangles = SceneTriangles{.indices = 4800};
        SceneSorter sorter(spec, context.get_proc_address());
        for (int repeat = 0; repeat < 3; ++repeat) {
            const std::vector<Filled> contents = {filled(900, 3, random), filled(0, 0, random), filled(700, 3, random)};
            SceneCaller caller = caller_of(context, spec, contents);
            caller.arguments.indices = {caller.buffer(Words(4800)), 0};
            caller.arguments.triangles = {caller.buffer(Words(4800)), 0};
            Words colours(15);
            for (std::uint32_t& colour : colours)
                colour = static_cast<std::uint32_t>(random() % 0x10000);
            Words stored(8);
            for (std::size_t i = 0; i < colours.size(); ++i)
                stored[i / 2] |= colours[i] << 16 * (i % 2);
            for (std::uint32_t vectors = 1; vectors <= 4; ++vectors)
                caller.arguments.results.push_back({.inputs = {{caller.buffer(stored), 0}},
                                                    .values = {{0.0f, 0.5f + static_cast<float>(vectors), 0.0f, 0.0f}},
                                                    .target = marked(caller, std::size_t{4} * vectors * 1600, 16)});
            {
                const DirtyState dirty(context.gl(), random(), {.share = repeat == 0 ? 0.0 : 0.5});
                const StateSnapshot before = take_snapshot(context.gl());
                sorter.sort(caller.arguments);
                const std::vector<std::string> changed = diff(before, take_snapshot(context.gl()));
                CHECK((changed.empty() ? "" : changed.front()) == "");
            }
            INFO(describe(place) << ", repeat " << repeat);
            const Words items = expected_order(spec, contents, {800, 0, 650});
            CHECK(caller.wrong(sorter, items, false) == "");
            for (std::uint32_t vectors = 1; vectors <= 4; ++vectors) {
                Words expected;
                for (const std::uint32_t item : items) {
                    const SceneItem where = item_of(spec.sources, item);
                    expected.insert(expected.end(), {static_cast<std::uint32_t>(where.source), where.element, item,
                                                     std::bit_cast<std::uint32_t>(0.5f + static_cast<float>(vectors))});
                    for (std::uint32_t i = 1; i < vectors; ++i) {
                        for (std::uint32_t component = 0; component < 3; ++component)
                            expected.push_back(colours[3 * (item % 5) + component] + i);
                        expected.push_back(1 + i);
                    }
                }
                Words found = between_marks(caller, caller.arguments.results[vectors - 1].target,
                                            std::size_t{4} * vectors * 1600);
                found.resize(expected.size());
                CHECK(difference(expected, found, fmt::format("result of {} vectors", vectors)) == "");
            }
            context.require_clean("results of a scene");
        }
    }
}

TEST_CASE("sinks that cannot be are refused by name", "[scene]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        const auto refusal = [&](const auto& change) {
            SceneSpec spec{.sources = {weighted(100)}, .key = KeyType::u32, .backend = place.backend};
            change(spec);
            return error_of([&] { SceneSorter(spec, context.get_proc_address()); });
        };
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.triangles = SceneTriangles{}; }),
                   Contains("triangles.indices 0; it must be 1 to 2^31"));
        CHECK_THAT(refusal([](SceneSpec& spec) {
                       spec.triangles = SceneTriangles{.type = SceneInput::Type::f16, .indices = 1};
                   }),
                   Contains("triangles.type must be u32 or u16"));
        for (const std::uint32_t corners : {0u, 4u})
            CHECK_THAT(
                refusal([&](SceneSpec& spec) { spec.triangles = SceneTriangles{.indices = 1, .corners = corners}; }),
                Contains(fmt::format("triangles.corners {}; it must be 1 to 3", corners)));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.results.resize(5, instances(1)); }),
                   Contains("5 results; the limit is 4"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.results = {instances(5)}; }),
                   Contains("result 0 (instances): vectors 5; it must be 1 to 4"));
        CHECK_THAT(refusal([](SceneSpec& spec) {
                       spec.results = {instances(1)};
                       spec.results[0].inputs[0].elements = 0;
                   }),
                   Contains("result 0 (instances): input 0: elements 0; tables of a result must tell their elements"));
        CHECK_THAT(refusal([](SceneSpec& spec) {
                       spec.results = {instances(2)};
                       spec.results[0].sort_result =
                           "void sort_result(uint item, out uvec4 words[2]) {\n"
                           "    words[0] = uvec4(depth);\n}\n";
                   }),
                   Contains("instances:2: ") && Contains("depth") && Contains("void sort_result"));
        context.clear();  // Of the compiler's messages.
        CHECK_THAT(refusal([](SceneSpec& spec) {
                       spec.results = {instances(1)};
                       for (std::size_t i = 0; i < 20; ++i) {
                           spec.results[0].inputs.push_back(spec.results[0].inputs[0]);
                           spec.results[0].inputs.back().name = fmt::format("more_{}", i);
                       }
                   }),
                   Contains("result 0 (instances): 21 inputs exceed the limit of "));
        if (!writes_textures(place))
            CHECK_THAT(refusal([](SceneSpec& spec) { spec.texture = SceneTexture{}; }),
                       Contains("texture: backend compute writes textures in OpenGL only"));
        context.require_clean("sinks that cannot be");
    }
}

TEST_CASE("calls with wrong sinks are refused, and change nothing", "[scene]") {
    std::mt19937_64 random(7);
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        SceneSpec spec{.sources = {weighted(100)}, .key = KeyType::u32, .backend = place.backend};
        spec.triangles = SceneTriangles{.indices = 210, .corners = 2};
        spec.results = {instances(2)};
        if (writes_textures(place)) spec.texture = SceneTexture{};
        SceneSorter sorter(spec, context.get_proc_address());
        const std::vector<Filled> contents = {filled(100, 3, random)};
        SceneCaller caller(context.gl(), spec, contents, {100});
        CallerTexture texture(context.gl(), {.width = 16, .height = 7}, 1, Words(112));
        if (spec.texture) caller.arguments.texture = texture.view();
        caller.arguments.indices = {caller.buffer(Words(210)), 0};
        caller.arguments.triangles = {caller.buffer(Words(202)), 0};
        caller.arguments.results = {
            {.inputs = {{caller.buffer(Words(8)), 0}}, .values = {{}}, .target = {caller.buffer(Words(800)), 0}}};
        const auto written = [&] {
            const SceneArguments& a = caller.arguments;
            Words words = texture.read();
            for (const auto& [slice, size] :
                 {std::pair{sorter.status(), 4u}, {a.order, 100u}, {a.triangles, 202u}, {a.results[0].target, 800u}}) {
                const Words part = caller.read(slice, size);
                words.insert(words.end(), part.begin(), part.end());
            }
            return words;
        };
        sorter.sort(caller.arguments);
        const Words all = written();
        SceneArguments fewer = caller.arguments;
        fewer.sources[0].count = 10;
        sorter.sort(fewer);
        REQUIRE(written() != all);
        const auto refusal = [&](const auto& change) {
            SceneArguments arguments = caller.arguments;
            change(arguments);
            return refusal_of(context, sorter, arguments, written);
        };
        CHECK_THAT(refusal([](SceneArguments& a) { a.sources[0].first_index = 11; }),
                   Contains("sources[0].first_index 11 and the 200 corners behind exceed the 210 indices"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.indices = a.triangles; }), Contains("indices"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.triangles = a.order; }), Contains("triangles"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.triangles.offset = 4; }),
                   Contains("triangles.offset 4 is not a multiple of 8 bytes"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.results.clear(); }),
                   Contains("0 results are given; the specification has 1"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.results[0].target.offset = 8; }),
                   Contains("results[0].target.offset 8 is not a multiple of 16 bytes"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.results[0].inputs[0].name = 0; }),
                   Contains("results[0].inputs[0] (colour).name 0 is not a buffer"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.results[0].values.clear(); }),
                   Contains("results[0].values has 0 values; the specification has 1"));
        CHECK_THAT(refusal([](SceneArguments& a) { a.nearest = 1.0f; }),
                   Contains("but the specification was made without quantisation"));
        if (spec.texture) {
            CHECK_THAT(refusal([](SceneArguments& a) { a.texture.height = 6; }), Contains("texture"));
            CHECK_THAT(refusal([](SceneArguments& a) { a.texture.layout = Layout::z_order; }),
                       Contains("texture.layout must be row_wise"));
            CHECK_THAT(refusal([](SceneArguments& a) { a.texture.name = 0; }),
                       Contains("texture.name 0 is not a texture"));
        } else {
            CHECK_THAT(refusal([&](SceneArguments& a) { a.texture = texture.view(); }),
                       Contains("texture.name") && Contains("made without texture"));
        }
        sorter.sort(caller.arguments);
        CHECK(caller.wrong(sorter, expected_order(spec, contents, {100}), false) == "");
        context.require_clean("calls with wrong sinks");
    }
}

TEST_CASE("GLSL takes the number of an item apart", "[scene]") {
    std::vector<SceneSource> sources;
    for (std::uint32_t i = 0; i < 9; ++i)
        sources.push_back({.capacity = i % 3 == 1 ? 0 : 10 * i + 1});
    const std::string text = item_glsl(sources);
    CHECK_THAT(text, Contains("uvec2 scene_item(uint item)"));
    // The text compiles everywhere: transform feedback is not needed to see that.
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const bool es = tier_api(place.tier) == demo::Api::gles;
        const std::string head = es ? "#version 300 es\nprecision highp float;\n" : "#version 330 core\n";
        const GLuint shader = compile(context.gl(), GL_VERTEX_SHADER,
                                      head + text +
                                          "flat out uvec2 item;\n"
                                          "void main() { item = scene_item(uint(gl_VertexID)); "
                                          "gl_Position = vec4(0.0); }\n");
        context.gl().DeleteShader(shader);
        context.require_clean("GLSL of items");
    }
}

/// A draw of points that takes the numbers of items apart, by the GLSL for these sources.
class ItemsOnGpu {
  public:
    ItemsOnGpu(TestContext& context, const std::vector<SceneSource>& sources, std::uint32_t count)
        : gl_(context.gl()),
          count_(count),
          capture_(context, count, item_glsl(sources) + "uniform uint first;\nuniform uint part;\n",
                   "uvec2 found = scene_item(first + uint(gl_VertexID));\n"
                   "result = part == 0u ? found.x : found.y;\n") {}

    /// The sources of the items from `first` on (part 0), or the elements (part 1).
    Words run(std::uint32_t first, std::uint32_t part) {
        gl_.Uniform1ui(gl_.GetUniformLocation(capture_.program(), "first"), first);
        gl_.Uniform1ui(gl_.GetUniformLocation(capture_.program(), "part"), part);
        return capture_.run([this] { gl_.DrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count_)); });
    }

  private:
    const GladGLContext& gl_;
    std::uint32_t count_;
    Capture capture_;
};

/// What is wrong with the GLSL for `count` items from `first` on. `item_of` is right.
std::string wrong_items(ItemsOnGpu& on_gpu, const std::vector<SceneSource>& sources, std::uint32_t first,
                        std::uint32_t count) {
    Words numbers;
    Words elements;
    for (std::uint32_t i = 0; i < count; ++i) {
        const SceneItem where = item_of(sources, first + i);
        numbers.push_back(static_cast<std::uint32_t>(where.source));
        elements.push_back(where.element);
    }
    return difference(numbers, on_gpu.run(first, 0), "sources") +
           difference(elements, on_gpu.run(first, 1), "elements");
}

std::vector<SceneSource> sources_of(const std::vector<std::uint32_t>& capacities) {
    std::vector<SceneSource> sources;
    for (const std::uint32_t capacity : capacities)
        sources.push_back({.capacity = capacity});
    return sources;
}

TEST_CASE("GLSL takes the numbers of all items apart as the CPU does", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    std::vector<std::uint32_t> many(max_scene_sources);
    for (std::uint32_t& capacity : many)
        capacity = static_cast<std::uint32_t>(random() % 4);
    many[random() % many.size()] = 70000;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const std::vector<std::uint32_t>& capacities :
             {std::vector<std::uint32_t>{1}, {0, 0, 5}, {1, 0, 1}, {0, 1, 1, 0, 7, 0, 0, 1, 300, 0}, many}) {
            const std::vector<SceneSource> sources = sources_of(capacities);
            const std::uint32_t items = base_of(sources, sources.size());
            INFO(describe(place) << ", " << item_glsl(sources));
            ItemsOnGpu on_gpu(context, sources, items);
            CHECK(wrong_items(on_gpu, sources, 0, items) == "");
        }
        // Items around the places where sources begin, up to the largest number of an item.
        const std::vector<SceneSource> large = sources_of({0x7fffffff, 0, 1, 0x10, 0x7fffffee});
        {
            ItemsOnGpu on_gpu(context, large, 32);
            for (const std::uint32_t first : {0u, 0x7ffffff8u, 0xffffffdeu}) {
                INFO(describe(place) << ", from item " << first);
                CHECK(wrong_items(on_gpu, large, first, 32) == "");
            }
        }
        context.require_clean("items by GLSL");
    }
}

}  // namespace
}  // namespace glsort::test
