#include <glad/gl.h>

#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "sorter/sorting.h"
#include "support/errors.h"
#include "support/random.h"

/// Construction that does not block: `ready`, and calls that come before.

namespace glsort::test {
namespace {

using std::chrono::microseconds;

SortSpec spec_for(const Place& place, Medium medium = Medium::buffer) {
    SortSpec spec;
    spec.backend = place.backend;
    spec.payload = Payload::bytes(4);
    spec.capacity = 700;
    spec.input = spec.output = medium;
    return spec;
}

SceneSpec scene_for(const Place& place) {
    return {.sources = {weighted(500), weighted(70)}, .key = KeyType::u32, .backend = place.backend};
}

SorterOptions with(Construction construction) {
    SorterOptions options;
    options.construction = construction;
    return options;
}

std::string changes(const GladGLContext& gl, const std::function<void()>& action) {
    const StateSnapshot before = take_snapshot(gl);
    action();
    std::string text;
    for (const std::string& line : diff(before, take_snapshot(gl)))
        text += "\n" + line;
    return text;
}

/// Calls `ready` in hostile states until nothing is left to do. Each call leaves the state, and gives the driver one
/// program at most.
template <class AnySorter>
void make_ready(const TestContext& context, GlSpy& spy, AnySorter& sorter, std::uint64_t seed) {
    std::size_t compiled = 0;
    bool ready = false;
    for (int call = 0; !ready && call < 100000; ++call) {
        spy.forget();
        const DirtyState dirty(context.gl(), seed + static_cast<std::uint64_t>(call), {});
        REQUIRE(changes(context.gl(), [&] { ready = sorter.ready(microseconds(0)); }) == "");
        CHECK(spy.calls("glLinkProgram") <= 1);
        compiled += spy.calls("glLinkProgram");
    }
    REQUIRE(ready);
    CHECK(compiled >= 1);
    CHECK(sorter.ready(microseconds(0)));
    spy.forget();
}

void check_construction(const Place& place, Medium medium, std::uint64_t seed) {
    TestContext& context = clean_context(place.tier);
    const GladGLContext& gl = context.gl();
    INFO(describe(place) << ", in a " << to_string(medium));
    GlSpy spy(context);
    spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
    std::unique_ptr<Sorter> sorter;
    {
        const DirtyState dirty(gl, seed, {});
        CHECK(changes(gl, [&] {
                  sorter =
                      std::make_unique<Sorter>(spec_for(place, medium), spy.loader(), with(Construction::calls_refuse));
              }) == "");
    }
    CHECK(spy.calls("glLinkProgram") == 0);
    CHECK_THAT(error_of([&] { sorter->spec(); }), Catch::Contains("Sorter::spec: the sorter is not `ready`"));
    CHECK_THAT(error_of([&] { sorter->sort({1}, {2}, 3); }), Catch::Contains("Sorter::sort: the sorter is not"));
    CHECK_THAT(error_of([&] { Stepper stepper(*sorter); }), Catch::Contains("the sorter is not `ready`"));
    make_ready(context, spy, *sorter, seed + 1);
    Caller caller(gl, *sorter);
    const Sample sample = make_sample(sorter->spec(), demo::Distribution::uniform, 700, seed);
    sorter->sort(caller.load(sample));
    CHECK(caller.wrong(sample) == "");
    CHECK(spy.calls("glLinkProgram") == 0);
    context.require_clean("a sorter that becomes ready");
}

TEST_CASE("a sorter is made in calls that each leave the state, and sorts once it is ready", "[construction]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        check_construction(place, Medium::buffer, seed.value());
        // Shapes of textures bring many more shaders, in all tiers alike.
        if (place.tier == Tier::gl45) check_construction(place, Medium::texture, seed.value());
    }
}

TEST_CASE("a call that comes too early waits, where the options say so", "[construction]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        Sorter sorter(spec_for(place), context.get_proc_address(), with(Construction::calls_wait));
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(sorter.spec(), demo::Distribution::uniform, 700, seed.value());
        sorter.sort(caller.load(sample));
        CHECK(caller.wrong(sample) == "");
        CHECK(sorter.ready());
        context.require_clean("a call that waits");
    }
}

TEST_CASE("a scene is made in calls, too", "[construction][scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        GlSpy spy(context);
        spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
        const SceneSpec spec = scene_for(place);
        const std::vector<Filled> contents{filled(500, 3, random), filled(70, 3, random)};
        for (const Construction construction : {Construction::calls_refuse, Construction::calls_wait}) {
            SceneCaller caller(context.gl(), spec, contents, {500, 70});
            SceneSorter sorter(spec, spy.loader(), with(construction));
            if (construction == Construction::calls_refuse) {
                CHECK_THAT(error_of([&] { sorter.status(); }),
                           Catch::Contains("SceneSorter::status: the sorter is not"));
                CHECK_THAT(error_of([&] { sorter.sort(caller.arguments); }),
                           Catch::Contains("SceneSorter::sort: the sorter is not"));
                make_ready(context, spy, sorter, seed.value());
            }
            sorter.sort(caller.arguments);
            CHECK(caller.wrong(sorter, expected_order(spec, contents, {500, 70}), false) == "");
            CHECK(sorter.ready());
        }
        context.require_clean("a scene that becomes ready");
    }
}

TEST_CASE("what the context lacks is told by ready, and by each call after it", "[construction]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        SortSpec spec = spec_for(place);
        spec.order.comparison = Comparison{.glsl = "bool comes_before(K a, K b) { return a < nothing; }",
                                           .host = [](const auto& a, const auto& b) { return a[0] < b[0]; }};
        std::string first;
        {
            Sorter sorter(spec, context.get_proc_address(), with(Construction::calls_wait));
            first = error_of([&] {
                while (!sorter.ready()) {
                }
            });
            CHECK_THAT(first, Catch::StartsWith("Sorter::ready: "));
            CHECK_THAT(error_of([&] { sorter.ready(); }), Catch::StartsWith("Sorter::ready: "));
            CHECK_THAT(error_of([&] { sorter.sort({1}, {2}, 3); }), Catch::StartsWith("Sorter::sort: "));
            CHECK_THAT(error_of([&] { sorter.reserve(5000); }), Catch::StartsWith("Sorter::reserve: "));
        }
        SceneSpec scene = scene_for(place);
        scene.sources[1].sort_key = "bool sort_key(uint element, out uint key) { return nothing; }";
        SceneSorter scene_sorter(scene, context.get_proc_address(), with(Construction::calls_wait));
        CHECK_THAT(error_of([&] {
                       while (!scene_sorter.ready()) {
                       }
                   }),
                   Catch::StartsWith("SceneSorter::ready: "));
        CHECK_THAT(error_of([&] { scene_sorter.sort({}); }), Catch::StartsWith("SceneSorter::sort: "));
        // Errors that no context could avoid come at once.
        spec.capacity = 0;
        CHECK_THAT(error_of([&] { Sorter(spec, context.get_proc_address(), with(Construction::calls_wait)); }),
                   Catch::StartsWith("Sorter::Sorter: capacity 0"));
        context.clear();
    }
}

TEST_CASE("errors of the application are not taken for the library's while a sorter is made", "[construction]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        Sorter sorter(spec_for(place), context.get_proc_address(), with(Construction::calls_wait));
        context.gl().Enable(0xffff);
        CHECK_THAT(error_of([&] { sorter.ready(); }), Catch::Contains("OpenGL errors were pending"));
        while (!sorter.ready()) {
        }
        context.clear();
    }
}

/// Moves, abandons and destroys sorters on which `ready` was called some times.
template <class AnySorter, class Spec>
void check_unready(const TestContext& context, const Spec& spec) {
    const auto made = [&](int calls) {
        AnySorter sorter(spec, context.get_proc_address(), with(Construction::calls_wait));
        for (int i = 0; i < calls; ++i)
            sorter.ready(microseconds(0));
        return sorter;
    };
    for (const int calls : {0, 1, 5, 20}) {
        AnySorter sorter = made(calls);
        sorter = made(calls / 2);
        while (!sorter.ready()) {
        }
    }
    AnySorter abandoned = made(4);
    abandoned.abandon();
    CHECK_THAT(error_of([&] { abandoned.ready(); }), Catch::Contains("moved from, or abandoned"));
}

TEST_CASE("a sorter that is not ready can be moved, abandoned and destroyed", "[construction]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        check_unready<Sorter>(context, spec_for(place));
        check_unready<SceneSorter>(context, scene_for(place));
        context.require_clean("sorters that are not ready");
    }
}

}  // namespace
}  // namespace glsort::test
