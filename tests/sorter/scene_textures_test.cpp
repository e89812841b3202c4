#include <bit>

#include "sorter/between_calls.h"
#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "support/random.h"
#include "support/state_names.h"

/// Inputs and counts of a scene in textures, of floats and of integers.

namespace glsort::test {
namespace {

using Catch::Contains;

/// A float texture of the caller. Values of `GL_RGBA8` are from 0 to 1.
class FloatTexture {
  public:
    FloatTexture(const GladGLContext& gl, std::uint32_t width, std::uint32_t height, GLint internal,
                 const std::vector<float>& texels)
        : gl_(gl), view_{.width = width, .height = height} {
        gl_.GenTextures(1, &view_.name);
        gl_.BindTexture(GL_TEXTURE_2D, view_.name);
        std::vector<std::uint8_t> bytes;
        for (const float value : texels)
            bytes.push_back(static_cast<std::uint8_t>(value));
        const bool normalised = internal == GL_RGBA8;
        gl_.TexImage2D(GL_TEXTURE_2D, 0, internal, static_cast<GLsizei>(width), static_cast<GLsizei>(height), 0,
                       GL_RGBA, static_cast<GLenum>(normalised ? GL_UNSIGNED_BYTE : GL_FLOAT),
                       normalised ? static_cast<const void*>(bytes.data()) : texels.data());
        gl_.BindTexture(GL_TEXTURE_2D, 0);
    }
    ~FloatTexture() { gl_.DeleteTextures(1, &view_.name); }
    FloatTexture(const FloatTexture&) = delete;
    FloatTexture& operator=(const FloatTexture&) = delete;
    const TextureView& view() const { return view_; }

  private:
    const GladGLContext& gl_;
    TextureView view_;
};

std::size_t& links() {
    static std::size_t number = 0;
    return number;
}

void GLAD_API_PTR count_link(GLuint program) {
    ++links();
    GlSpy::gl().LinkProgram(program);
}

/// A source with its weights and tags in an integer texture, and its count in another one.
SceneSource weighted_in_texture(std::uint32_t capacity) {
    SceneSource source = weighted(capacity);
    source.inputs[0] = {.name = "data", .type = SceneInput::Type::u32, .components = 2, .medium = Medium::texture};
    source.gpu_count = true;
    source.gpu_count_medium = Medium::texture;
    return source;
}

TEST_CASE("integers and counts of a scene may lie in textures of any width, without new shaders", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        GlSpy spy(context);
        spy.replace("glLinkProgram", &count_link);
        const SceneSpec spec{
            .sources = {weighted_in_texture(1000), weighted(500)}, .key = KeyType::u32, .backend = place.backend};
        SceneSorter sorter(spec, spy.loader());
        links() = 0;
        for (const std::uint32_t width : {1000u, 128u, 64u, 37u, 1u}) {
            const std::uint32_t count = static_cast<std::uint32_t>(random() % 1100);
            const std::vector<Filled> contents = {filled(1000, 3, random), filled(500, 3, random)};
            SceneCaller caller(context.gl(), spec, contents, {0, 400});
            CallerTexture data(context.gl(), {.width = width, .height = 1000 / width + 1}, 2,
                               Words(std::size_t{2} * width * (1000 / width + 1)));
            for (std::uint32_t i = 0; i < 1000; ++i) {
                data.word(i, 0) = contents[0].weights[i];
                data.word(i, 1) = contents[0].tags[i];
            }
            data.upload();
            CallerTexture counts(context.gl(), {.width = 3, .height = 2}, 4, Words(24, 7));
            counts.word(0, 0) = count;
            counts.upload();
            caller.arguments.sources[0] = {.textures = {data.view()}, .gpu_count_texture = counts.view()};
            INFO(describe(place) << ", width " << width << ", count " << count);
            {
                const DirtyState dirty(context.gl(), random(), {.share = 0.3});
                const StateSnapshot before = take_snapshot(context.gl());
                sorter.sort(caller.arguments);
                const std::vector<std::string> changed = diff(before, take_snapshot(context.gl()));
                CHECK((changed.empty() ? "" : changed.front()) == "");
            }
            CHECK(caller.wrong(sorter, expected_order(spec, contents, {count, 400}), count > 1000) == "");
            CHECK(links() == 0);
            context.require_clean("a scene of textures");
        }
    }
}

TEST_CASE("float textures give what a sampler gives", "[scene]") {
    std::mt19937_64 random(5);
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const GLint format : {GL_RGBA32F, GL_RGBA16F, GL_RGBA8}) {
            SceneSpec spec{.sources = {{.name = "in a texture",
                                        .capacity = 600,
                                        .inputs = {{.name = "position", .medium = Medium::texture}},
                                        .sort_key = "bool sort_key(uint element, out float depth) {\n"
                                                    "    depth = position_at(element).z;\n"
                                                    "    return position_at(element).w > 0.0;\n"
                                                    "}\n"}},
                           .backend = place.backend};
            spec.results = {
                {.inputs = {{.name = "position", .components = 3, .elements = 600, .medium = Medium::texture}},
                 .sort_result = "void sort_result(uint item, out uvec4 words[1]) {\n"
                                "    words[0] = uvec4(position_at(item) * 255.0 + 0.5);\n"
                                "}\n"}};
            std::vector<float> texels(std::size_t{4} * 25 * 24);
            for (float& value : texels)
                value = static_cast<float>(random() % 256);  // Exact in all formats.
            for (std::size_t i = 3; i < texels.size(); i += 4)
                texels[i] = random() % 3 == 0 ? 0.0f : 1.0f;
            const FloatTexture texture(context.gl(), 25, 24, format, texels);
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < 600; ++i)
                if (texels[std::size_t{4} * i + 3] > 0) expected.push_back(i);
            std::stable_sort(expected.begin(), expected.end(), [&](std::uint32_t a, std::uint32_t b) {
                return texels[std::size_t{4} * a + 2] > texels[std::size_t{4} * b + 2];
            });
            SceneCaller caller(context.gl(), spec);
            caller.arguments.sources = {{.textures = {texture.view()}, .count = 600}};
            const BufferSlice target{caller.buffer(Words(2400)), 0};
            caller.arguments.results = {{.textures = {texture.view()}, .target = target}};
            SceneSorter sorter(spec, context.get_proc_address());
            sorter.sort(caller.arguments);
            INFO(describe(place) << ", format " << std::hex << format);
            CHECK(caller.wrong(sorter, expected, false) == "");
            Words found = caller.read(target, 4 * expected.size());
            Words colours;
            const float scale = format == GL_RGBA8 ? 1.0f : 255.0f;
            for (const std::uint32_t item : expected) {
                for (std::size_t channel = 0; channel < 3; ++channel)
                    colours.push_back(static_cast<std::uint32_t>(texels[std::size_t{4} * item + channel] * scale));
                colours.push_back(255);  // A channel that is not read is 1.
            }
            CHECK(difference(colours, found, "result") == "");
            context.require_clean("float textures");
        }
    }
}

TEST_CASE("wrong textures of a scene are refused by name", "[scene]") {
    std::mt19937_64 random(9);
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        const auto refusal = [&](const auto& change) {
            SceneSpec spec{.sources = {weighted_in_texture(100)}, .key = KeyType::u32, .backend = place.backend};
            change(spec.sources[0].inputs[0]);
            return error_of([&] { SceneSorter(spec, context.get_proc_address()); });
        };
        CHECK_THAT(refusal([](SceneInput& input) { input.type = SceneInput::Type::u16; }),
                   Contains("input 0: type f16 or u16; in a texture it must be f32 or u32"));
        CHECK_THAT(refusal([](SceneInput& input) { input.stride = 8; }),
                   Contains("stride 8 and offset 0; in a texture they must be 0"));
        const SceneSpec spec{.sources = {weighted_in_texture(100)}, .key = KeyType::u32, .backend = place.backend};
        SceneSorter sorter(spec, context.get_proc_address());
        CallerTexture data(context.gl(), {.width = 10, .height = 10}, 2, Words(200));
        CallerTexture counts(context.gl(), {.width = 1, .height = 1}, 1, Words(1));
        const FloatTexture floats(context.gl(), 10, 10, GL_RGBA32F, std::vector<float>(400));
        SceneCaller caller(context.gl(), spec);
        caller.arguments.sources = {{.textures = {data.view()}, .gpu_count_texture = counts.view()}};
        const auto error = [&](const auto& change) {
            SceneArguments arguments = caller.arguments;
            change(arguments.sources[0]);
            return error_of([&] { sorter.sort(arguments); });
        };
        CHECK(error([](auto&) {}) == "(nothing thrown)");
        CHECK_THAT(error([](auto& source) { source.textures.clear(); }),
                   Contains("sources[0].textures has 0 textures; the specification has 1"));
        CHECK_THAT(error([](auto& source) { source.textures[0].height = 9; }),
                   Contains("sources[0].textures[0] (data) of 10x9 texels is too small for 100 elements"));
        CHECK_THAT(error([](auto& source) { source.textures[0].name = 0; }),
                   Contains("sources[0].textures[0] (data).name 0 is not a texture"));
        CHECK_THAT(error([](auto& source) { source.textures[0].layout = Layout::z_order; }),
                   Contains("sources[0].textures[0] (data).layout must be row_wise"));
        CHECK_THAT(error([&](auto& source) { source.gpu_count = caller.arguments.order; }),
                   Contains("made without gpu_count in a buffer"));
        if (describe_context(context.get_proc_address()).limits.texture_size > 0 && place.tier != Tier::es30)
            CHECK_THAT(error([&](auto& source) { source.textures[0] = floats.view(); }),
                       Contains("(data) is a texture of component type 0x1406; it must have unsigned integers"));
        context.require_clean("wrong textures");
    }
}

/// A scene that reads textures and writes a texture. Both have two integers for each item.
SceneSpec scene_between_textures(const Place& place) {
    SceneSpec spec{.sources = {weighted_in_texture(100)}, .key = KeyType::u32, .backend = place.backend};
    spec.texture = SceneTexture{.form = SceneTexture::Form::keys_and_items};
    spec.results = {
        {.name = "looked up",
         .inputs = {{.name = "table",
                     .type = SceneInput::Type::u32,
                     .components = 2,
                     .elements = 100,
                     .medium = Medium::texture}},
         .sort_result = "void sort_result(uint item, out uvec4 words[1]) { words[0] = table_at(item); }\n"}};
    return spec;
}

TEST_CASE("a texture that a scene reads and writes is refused, and nothing changes", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        const SceneSpec spec = scene_between_textures(place);
        SceneSorter sorter(spec, context.get_proc_address());
        const std::vector<Filled> contents = {filled(100, 0, random)};
        Words texels;
        for (std::size_t i = 0; i < 100; ++i)
            texels.insert(texels.end(), {contents[0].weights[i], contents[0].tags[i]});
        const CallerTexture data(context.gl(), {.width = 10, .height = 10}, 2, texels);
        const CallerTexture counts(context.gl(), {.width = 1, .height = 1}, 1, Words{100});
        CallerTexture sink(context.gl(), {.width = 10, .height = 10}, 2, Words(200, 77));
        SceneCaller caller(context.gl(), spec);
        const BufferSlice target{caller.buffer(Words(400, 77)), 0};
        caller.arguments.sources = {{.textures = {data.view()}, .gpu_count_texture = counts.view()}};
        caller.arguments.results = {{.textures = {data.view()}, .target = target}};
        caller.arguments.texture = sink.view();
        sorter.sort(caller.arguments);
        const Words order = expected_order(spec, contents, {100});
        CHECK(caller.wrong(sorter, order, false) == "");
        const Words looked_up = caller.read(target, 400);
        // A sort would write other words here.
        sink.upload();
        const auto refusal = [&](const auto& change) {
            SceneArguments arguments = caller.arguments;
            change(arguments);
            std::string message = error_of([&] { sorter.sort(arguments); });
            CHECK(caller.wrong(sorter, order, false) == "");
            CHECK(difference(looked_up, caller.read(target, 400), "result") == "");
            CHECK(difference(sink.expected, sink.read(), "texture") == "");
            CHECK(difference(data.expected, data.read(), "data") == "");
            return message;
        };
        CHECK_THAT(refusal([&](SceneArguments& a) { a.texture = data.view(); }),
                   Contains(fmt::format("SceneSorter::sort: sources[0].textures[0] (data) and texture are both "
                                        "texture {}",
                                        data.view().name)));
        CHECK_THAT(
            refusal([&](SceneArguments& a) { a.sources[0].gpu_count_texture = sink.view(); }),
            Contains(fmt::format("sources[0].gpu_count_texture and texture are both texture {}", sink.view().name)));
        CHECK_THAT(
            refusal([&](SceneArguments& a) { a.results[0].textures[0] = sink.view(); }),
            Contains(fmt::format("results[0].textures[0] (table) and texture are both texture {}", sink.view().name)));
        sorter.sort(caller.arguments);
        for (std::uint32_t i = 0; i < 100; ++i) {
            sink.word(i, 0) = contents[0].weights[order[i]];
            sink.word(i, 1) = order[i];
        }
        CHECK(difference(sink.expected, sink.read(), "texture") == "");
        context.require_clean("a texture that is read and written");
    }
}

}  // namespace
}  // namespace glsort::test
