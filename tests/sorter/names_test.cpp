#include <glad/gl.h>

#include <memory>
#include <string>
#include <vector>

#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "sorter/sorting.h"
#include "support/errors.h"
#include "support/random.h"

/// What frame debuggers and profilers see: names of objects and ops.

namespace glsort::test {
namespace {

std::string label_of(const GladGLContext& gl, GLenum kind, GLuint name) {
    std::string text(300, '\0');
    GLsizei length = 0;
    const auto get = gl.GetObjectLabel != nullptr ? gl.GetObjectLabel : gl.GetObjectLabelKHR;
    get(kind, name, static_cast<GLsizei>(text.size()), &length, text.data());
    text.resize(static_cast<std::size_t>(length));
    return text;
}

/// The programs that exist, recorded by the spy.
std::set<GLuint>& programs() {
    static std::set<GLuint> names;
    return names;
}

/// Makes a sorter by `make(options)` and checks the labels of all its objects.
template <class Make>
void check_labels(TestContext& context, const Make& make) {
    GlSpy spy(context);
    spy.track<&GladGLContext::GenBuffers, &GladGLContext::DeleteBuffers>("Buffers");
    spy.track<&GladGLContext::GenTextures, &GladGLContext::DeleteTextures>("Textures");
    programs().clear();
    spy.replace(
        "glCreateProgram", +[]() -> GLuint {
            const GLuint name = GlSpy::gl().CreateProgram();
            programs().insert(name);
            return name;
        });
    spy.replace(
        "glDeleteProgram", +[](GLuint name) {
            programs().erase(name);
            GlSpy::gl().DeleteProgram(name);
        });
    SorterOptions options;
    options.name = "rain of " + std::string(280, 'x');
    options.report_finished = true;
    const auto sorter = make(spy, options);
    const GladGLContext& gl = context.gl();
    const auto check = [&](GLenum kind, const std::set<GLuint>& names, const char* what) {
        INFO(what);
        CHECK(!names.empty());
        for (const GLuint name : names)
            CHECK_THAT(label_of(gl, kind, name), Catch::StartsWith("rain of xxx"));
    };
    check(GL_BUFFER, spy.alive("Buffers"), "buffers");
    if (!spy.alive("Textures").empty()) check(GL_TEXTURE, spy.alive("Textures"), "textures");
    check(GL_PROGRAM, programs(), "programs");
}

TEST_CASE("every buffer, texture and program has a label", "[names]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        if (context.gl().GetObjectLabel == nullptr && context.gl().GetObjectLabelKHR == nullptr) continue;
        INFO(describe(place));
        for (const char* algorithm : {"automatic", "merge:multiway", "bitonic:step"})
            for (const bool gpu_count : {false, true}) {
                if (gpu_count && algorithm == std::string("merge:multiway")) continue;
                check_labels(context, [&](GlSpy& spy, const SorterOptions& options) {
                    SortSpec spec;
                    spec.algorithm = algorithm;
                    spec.backend = place.backend;
                    spec.capacity = 5000;
                    spec.gpu_count = gpu_count;
                    spec.output = writes_textures(place) ? Medium::texture : Medium::buffer;
                    spec.own_output = writes_textures(place);
                    return std::make_unique<Sorter>(spec, spy.loader(), options);
                });
            }
        check_labels(context, [&](GlSpy& spy, const SorterOptions& options) {
            const SceneSpec spec{
                .sources = {weighted(500), weighted(70)}, .key = KeyType::u32, .backend = place.backend};
            return std::make_unique<SceneSorter>(spec, spy.loader(), options);
        });
        context.require_clean("labels");
    }
}

TEST_CASE("labels of objects say what the objects are", "[names]") {
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = clean_context(Tier::gl45);
    GlSpy spy(context);
    spy.track<&GladGLContext::GenBuffers, &GladGLContext::DeleteBuffers>("Buffers");
    SortSpec spec;
    spec.algorithm = "merge:multiway";
    spec.backend = Backend::compute;
    spec.capacity = 5000;
    const Sorter sorter(spec, spy.loader());
    std::set<std::string> labels;
    for (const GLuint name : spy.alive("Buffers"))
        labels.insert(label_of(context.gl(), GL_BUFFER, name));
    for (const Stream& stream : sorter.program(5000).streams)
        if (stream.role == StreamRole::scratch) CHECK(labels.count("glsort " + stream.name) == 1);
}

TEST_CASE("the hook is called around each op, by the op's name", "[names]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        std::vector<std::string> ops;
        int open = 0;
        SorterOptions options;
        options.hook.begin = [&](std::string_view op) {
            CHECK(open++ == 0);
            CHECK(op.data()[op.size()] == '\0');
            ops.emplace_back(op);
        };
        options.hook.end = [&] { CHECK(open-- == 1); };
        SortSpec spec;
        spec.algorithm = "bitonic:step";
        spec.backend = place.backend;
        spec.capacity = 40;
        Sorter sorter(spec, context.get_proc_address(), options);
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 40, seed.value());
        const auto expect = [&] {
            const StreamProgram program = sorter.program(40);
            REQUIRE(ops.size() == program.ops.size());
            for (std::size_t i = 0; i < ops.size(); ++i)
                CHECK(ops[i] == describe(program.ops[i]));
            CHECK(open == 0);
            ops.clear();
        };
        sorter.sort(caller.load(sample));
        expect();
        CHECK(caller.wrong(sample) == "");
        Stepper stepper(sorter);
        stepper.begin(caller.load(sample));
        while (stepper.step()) {
        }
        expect();
        // A scene has three programs, one after the other.
        const SceneSpec scene{.sources = {weighted(50), weighted(30)},
                              .key = KeyType::u32,
                              .backend = place.backend,
                              .results = {item_numbers()}};
        SceneSorter scene_sorter(scene, context.get_proc_address(), options);
        std::mt19937_64 random(seed.value());
        const std::vector<Filled> contents{filled(50, 3, random), filled(30, 3, random)};
        SceneCaller scene_caller(context.gl(), scene, contents, {50, 30});
        scene_caller.arguments.results = {{.target = {scene_caller.buffer(Words(320)), 0}}};
        for (int repeat = 0; repeat < 2; ++repeat) {
            ops.clear();
            scene_sorter.sort(scene_caller.arguments);
            CHECK(ops == op_names(scene_sorter));
            CHECK(open == 0);
            CHECK(scene_caller.wrong(scene_sorter, expected_order(scene, contents, {50, 30}), false) == "");
        }
        for (const std::size_t of_a_program :
             {scene_sorter.key_program().ops.size(), scene_sorter.sort_program().ops.size(),
              scene_sorter.sink_program().ops.size()})
            CHECK(of_a_program > 0);
        context.require_clean("hooks");
    }
}

TEST_CASE("half a hook is refused", "[names]") {
    TestContext& context = clean_context(Tier::gl33);
    SorterOptions options;
    options.hook.begin = [](std::string_view) {};
    CHECK_THAT(
        error_of([&] { Sorter({.capacity = 8, .backend = Backend::fragment}, context.get_proc_address(), options); }),
        Catch::Contains("Sorter::Sorter: hook.end is not set; both functions are needed"));
}

}  // namespace
}  // namespace glsort::test
