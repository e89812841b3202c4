#include <glad/gl.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "sorter/sorting.h"
#include "support/errors.h"
#include "support/random.h"

/// Sorters that grow while they sort.

namespace glsort::test {
namespace {

using std::chrono::microseconds;

SortSpec small(const Place& place) {
    SortSpec spec;
    spec.backend = place.backend;
    spec.payload = Payload::bytes(4);
    spec.capacity = 60;
    return spec;
}

template <class AnySorter>
void finish(AnySorter& sorter) {
    while (!sorter.ready(microseconds(0))) {
    }
}

TEST_CASE("a sorter grows while it sorts", "[reserve]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        Sorter sorter(small(place), context.get_proc_address());
        std::uint32_t capacity = 60;
        for (const std::uint32_t next : {61u, 1000u, 5001u}) {
            Caller caller(context.gl(), sorter);
            sorter.reserve(next);
            CHECK(sorter.spec().capacity == capacity);
            int calls = 0;
            do {
                const Sample sample = make_sample(sorter.spec(), demo::Distribution::uniform,
                                                  static_cast<std::uint32_t>(seed.value() % capacity + 1),
                                                  seed.value() + static_cast<std::uint64_t>(calls));
                sorter.sort(caller.load(sample));
                REQUIRE(caller.wrong(sample) == "");
                REQUIRE(++calls < 100000);
            } while (!sorter.ready(microseconds(0)));
            CHECK(calls > 3);
            CHECK(sorter.spec().capacity == next);
            CHECK(sorter.ready(microseconds(0)));
            capacity = next;
            Caller larger(context.gl(), sorter);
            for (const std::uint32_t n : {next, next - 1, 1u, 0u}) {
                const Sample sample = make_sample(sorter.spec(), demo::Distribution::duplicates, n, seed.value());
                sorter.sort(larger.load(sample));
                CHECK(larger.wrong(sample) == "");
            }
        }
        // A smaller capacity changes nothing.
        sorter.reserve(5);
        CHECK(sorter.ready(microseconds(0)));
        CHECK(sorter.spec().capacity == 5001);
        context.require_clean("growth");
    }
}

TEST_CASE("growth to another capacity of the same kernels compiles nothing", "[reserve]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        GlSpy spy(context);
        spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
        SortSpec spec = small(place);
        spec.algorithm = "merge:multiway";
        spec.capacity = 20000;
        Sorter sorter(spec, spy.loader());
        spy.forget();
        sorter.reserve(30000);
        finish(sorter);
        CHECK(sorter.spec().capacity == 30000);
        CHECK(spy.calls("glLinkProgram") == 0);
        // The longest time is enough for a growth that waits for no driver.
        sorter.reserve(31000);
        CHECK(sorter.ready(microseconds::max()));
        CHECK(sorter.spec().capacity == 31000);
        context.require_clean("growth with equal kernels");
    }
}

TEST_CASE("with a count on the GPU, growths on fragments compile nothing", "[reserve][scene]") {
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::fragment) continue;
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        GlSpy spy(context);
        spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
        SortSpec spec = small(place);
        spec.gpu_count = true;
        spec.capacity = 1u << 10;
        Sorter sorter(spec, spy.loader());
        SceneSpec scene{.sources = {weighted(1u << 10)}, .key = KeyType::u32, .backend = place.backend};
        SceneSorter scene_sorter(scene, spy.loader());
        // After each doubling, the last merge has another number of runs. At 2^16 two textures have equal widths.
        for (std::uint32_t capacity = 1u << 11; capacity <= 1u << 17; capacity *= 2) {
            INFO("to " << capacity);
            spy.forget();
            sorter.reserve(capacity);
            finish(sorter);
            CHECK(spy.called() == "");
            scene_sorter.reserve(std::array{capacity});
            while (!scene_sorter.ready(microseconds(0))) {
            }
            CHECK(spy.called() == "");
            CHECK(scene_sorter.spec().sources[0].capacity == capacity);
        }
        context.require_clean("growth with a count on the GPU");
    }
}

/// The number of objects of a new sorter.
template <class AnySorter, class Spec>
std::size_t objects_of(const GlSpy& spy, const Spec& spec) {
    const AnySorter sorter(spec, GlSpy::loader());
    return spy.all_alive();
}

/// Calls `sort` after a growth, until as many objects are left as a new sorter has. No call frees many.
template <class Sort>
void check_freed(const GlSpy& spy, std::size_t held, const Sort& sort) {
    // In the end several small objects go together.
    constexpr std::size_t most = 6;
    CHECK(spy.all_alive() > held);
    int calls = 0;
    for (std::size_t before = spy.all_alive(); before > held; before = spy.all_alive()) {
        sort();
        CHECK(before - spy.all_alive() <= most);
        REQUIRE(++calls < 1000);
    }
    CHECK(spy.all_alive() == held);
    CHECK(calls > 3);
}

TEST_CASE("a sorter that has grown frees the old memory in parts", "[reserve][scene]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        GlSpy spy(context);
        spy.track<&GladGLContext::GenBuffers, &GladGLContext::DeleteBuffers>("Buffers");
        spy.track<&GladGLContext::GenTextures, &GladGLContext::DeleteTextures>("Textures");
        SortSpec spec = small(place);
        spec.capacity = 6000;
        std::size_t held = objects_of<Sorter>(spy, spec);
        CHECK(spy.all_alive() == 0);
        spec.capacity = 3000;
        {
            Sorter sorter(spec, spy.loader());
            Caller caller(context.gl(), sorter);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 3000, seed.value());
            sorter.sort(caller.load(sample));
            sorter.reserve(6000);
            finish(sorter);
            check_freed(spy, held, [&] {
                sorter.sort(caller.load(sample));
                CHECK(caller.wrong(sample) == "");
            });
        }
        CHECK(spy.all_alive() == 0);
        SceneSpec scene{.sources = {weighted(6000)}, .key = KeyType::u32, .backend = place.backend};
        held = objects_of<SceneSorter>(spy, scene);
        CHECK(spy.all_alive() == 0);
        scene.sources[0].capacity = 3000;
        {
            std::mt19937_64 random(seed.value());
            const std::vector<Filled> contents{filled(3000, 3, random)};
            SceneSorter sorter(scene, spy.loader());
            SceneCaller caller(context.gl(), scene, contents, {3000});
            sorter.sort(caller.arguments);
            sorter.reserve(std::array{6000u});
            while (!sorter.ready(microseconds(0))) {
            }
            check_freed(spy, held, [&] { sorter.sort(caller.arguments); });
        }
        CHECK(spy.all_alive() == 0);
        context.require_clean("memory after a growth");
    }
}

TEST_CASE("a call that needs the larger capacity waits, or is refused, as asked for", "[reserve]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        for (const Construction construction : {Construction::waits, Construction::calls_refuse}) {
            SorterOptions options;
            options.construction = construction;
            Sorter sorter(small(place), context.get_proc_address(), options);
            finish(sorter);
            // The caller's objects for the larger capacity.
            SortSpec large = small(place);
            large.capacity = 900;
            const Sorter model(large, context.get_proc_address());
            Caller caller(context.gl(), model);
            const Sample sample = make_sample(large, demo::Distribution::uniform, 900, seed.value());
            const SortArguments& arguments = caller.load(sample);
            CHECK_THAT(error_of([&] { sorter.sort(arguments); }), Catch::Contains("count 900 exceeds the capacity 60"));
            sorter.reserve(900);
            if (construction == Construction::calls_refuse) {
                CHECK_THAT(error_of([&] { sorter.sort(arguments); }), Catch::Contains("larger capacity"));
                finish(sorter);
            }
            sorter.sort(arguments);
            CHECK(caller.wrong(sample) == "");
            CHECK(sorter.spec().capacity == 900);
            context.require_clean("calls that need the larger capacity");
        }
    }
}

/// In each place that writes textures: calls `check(gl, sorter, caller, sample)` with a sorter for 60 elements, whose
/// results are in a texture of its own.
template <class Check>
void with_own_texture(const Check& check) {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        SortSpec spec = small(place);
        spec.output = Medium::texture;
        spec.own_output = true;
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 60, seed.value());
        check(context.gl(), sorter, caller, sample);
        context.require_clean("results and growth");
    }
}

TEST_CASE("results of the last call outlive a growth", "[reserve]") {
    with_own_texture([](const GladGLContext& gl, Sorter& sorter, Caller& caller, const Sample& sample) {
        const TextureView sorted = sorter.sort_to_texture(caller.load(sample));
        const Words before = texels_of(gl, sorted);
        sorter.reserve(4000);
        finish(sorter);
        CHECK(sorter.own_texture().name == sorted.name);
        CHECK(texels_of(gl, sorter.own_texture()) == before);
        sorter.reserve(9000);
        finish(sorter);
        CHECK(texels_of(gl, sorter.own_texture()) == before);
        const TextureView again = sorter.sort_to_texture(caller.arguments());
        CHECK(sorter.own_texture().name == again.name);
        CHECK(again.name != sorted.name);
        CHECK(caller.wrong(sample, again) == "");
    });
}

TEST_CASE("a refused call after a growth leaves the results of the last call", "[reserve]") {
    with_own_texture([](const GladGLContext& gl, Sorter& sorter, Caller& caller, const Sample& sample) {
        const TextureView sorted = sorter.sort_to_texture(caller.load(sample));
        const Words before = texels_of(gl, sorted);
        sorter.reserve(4000);
        finish(sorter);
        SortArguments refused = caller.arguments();
        refused.count = 5000;
        CHECK_THAT(error_of([&] { sorter.sort_to_texture(refused); }), Catch::Contains("count 5000 exceeds"));
        CHECK(sorter.own_texture().name == sorted.name);
        CHECK(texels_of(gl, sorter.own_texture()) == before);
    });
}

TEST_CASE("results of steps outlive a growth", "[reserve]") {
    with_own_texture([](const GladGLContext& gl, Sorter& sorter, Caller& caller, const Sample& sample) {
        const auto sort_in_steps = [&] {
            Stepper stepper(sorter);
            stepper.begin(caller.load(sample));
            while (stepper.step()) {
            }
        };
        sort_in_steps();
        const TextureView sorted = sorter.own_texture();
        const Words before = texels_of(gl, sorted);
        sorter.reserve(4000);
        finish(sorter);
        CHECK(sorter.own_texture().name == sorted.name);
        CHECK(texels_of(gl, sorter.own_texture()) == before);
        // Steps of the larger capacity.
        sort_in_steps();
        CHECK(sorter.own_texture().name != sorted.name);
        CHECK(caller.wrong(sample, sorter.own_texture()) == "");
    });
}

TEST_CASE("objects that the caller has asked for before the first call outlive a growth", "[reserve][scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        SceneSpec spec{.sources = {weighted(50)}, .key = KeyType::u32, .backend = place.backend};
        SceneSorter sorter(spec, context.get_proc_address());
        const std::uint32_t status = sorter.status().name;
        spec.sources[0].capacity = 700;
        sorter.reserve(std::array{700u});
        while (!sorter.ready(microseconds(0))) {
        }
        CHECK(sorter.spec().sources[0].capacity == 700);
        CHECK(sorter.status().name == status);
        CHECK(context.gl().IsBuffer(status) == GL_TRUE);
        const std::vector<Filled> contents{filled(700, 3, random)};
        const std::vector<std::uint32_t> counts{700};
        SceneCaller caller(context.gl(), spec, contents, counts);
        sorter.sort(caller.arguments);
        CHECK(caller.wrong(sorter, expected_order(spec, contents, counts), false) == "");
        CHECK(sorter.status().name != status);
        context.require_clean("names before the first call");
    }
}

TEST_CASE("a sorter that is asked for more in every frame grows all the same", "[reserve]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        Sorter sorter(small(place), context.get_proc_address());
        std::uint32_t asked = 60;
        while (sorter.spec().capacity == 60) {
            sorter.reserve(++asked);
            sorter.ready(microseconds(0));
            REQUIRE(asked < 100000);
        }
        CHECK(asked > 63);
        finish(sorter);
        CHECK(sorter.spec().capacity == asked);
        context.require_clean("growths in every frame");
    }
}

TEST_CASE("steps go on while their sorter grows", "[reserve]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        Sorter sorter(small(place), context.get_proc_address());
        Stepper stepper(sorter);
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(sorter.spec(), demo::Distribution::uniform, 60, seed.value());
        stepper.begin(caller.load(sample));
        sorter.reserve(3000);
        while (stepper.step())
            sorter.ready(microseconds(0));
        CHECK(caller.wrong(sample) == "");
        finish(sorter);
        context.require_clean("steps and growth");
    }
}

TEST_CASE("steps end with a sort of the larger capacity, and go on behind the end of their sorter", "[reserve]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        auto sorter = std::make_unique<Sorter>(small(place), context.get_proc_address());
        Stepper stepper(*sorter);
        Caller caller(context.gl(), *sorter);
        const Sample sample = make_sample(sorter->spec(), demo::Distribution::uniform, 60, seed.value());
        stepper.begin(caller.load(sample));
        stepper.step();
        sorter->reserve(3000);
        finish(*sorter);
        sorter->sort(caller.load(sample));
        CHECK_THAT(error_of([&] { stepper.step(); }), Catch::Contains("no sort has begun"));
        CHECK(caller.wrong(sample) == "");
        // The stepper keeps the old capacity.
        stepper.begin(caller.load(sample));
        sorter.reset();
        while (stepper.step()) {
        }
        CHECK(caller.wrong(sample) == "");
        context.require_clean("steps behind a growth");
    }
}

TEST_CASE("a growth leaves the state, whatever the sorts do", "[reserve]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        for (const StatePolicy policy : {StatePolicy::restore, StatePolicy::caller_resets}) {
            INFO(describe(place) << (policy == StatePolicy::restore ? ", restore" : ", caller_resets"));
            SorterOptions options;
            options.state = policy;
            Sorter sorter(small(place), context.get_proc_address(), options);
            reset_state(gl);
            sorter.reserve(5000);
            std::uint64_t turn = 0;
            for (bool done = false; !done;) {
                REQUIRE(++turn < 100000);
                const DirtyState dirty(gl, seed.value() + turn);
                const StateSnapshot before = take_snapshot(gl);
                done = sorter.ready(microseconds(0));
                std::string changes;
                for (const std::string& line : diff(before, take_snapshot(gl)))
                    changes += "\n" + line;
                INFO("turn " << turn);
                REQUIRE(changes == "");
            }
            CHECK(turn > 1);
            CHECK(sorter.spec().capacity == 5000);
            context.require_clean("state during a growth");
        }
    }
}

TEST_CASE("a growth that fails drops later growths, and a call that waits throws its error", "[reserve]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        Sorter sorter(small(place), context.get_proc_address());
        sorter.reserve(0xfffffffeu);
        sorter.reserve(200);
        CHECK_THAT(error_of([&] { finish(sorter); }), Catch::Contains("Sorter::ready: "));
        CHECK(sorter.ready());
        CHECK(sorter.spec().capacity == 60);
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(sorter.spec(), demo::Distribution::uniform, 60, seed.value());
        SortArguments more = caller.load(sample);
        more.count = 61;
        sorter.reserve(0xfffffffeu);
        CHECK_THAT(error_of([&] { sorter.sort(more); }), Catch::Contains("Sorter::sort: "));
        CHECK(caller.changed() == "");
        sorter.sort(caller.arguments());
        CHECK(caller.wrong(sample) == "");
        CHECK(sorter.spec().capacity == 60);
        context.clear();
    }
}

TEST_CASE("a growth that fails leaves the sorter as it was", "[reserve]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        Sorter sorter(small(place), context.get_proc_address());
        // No device holds 16 GiB in one stream.
        sorter.reserve(0xfffffffeu);
        CHECK_THAT(error_of([&] { finish(sorter); }), Catch::Contains("Sorter::ready: "));
        CHECK(sorter.ready());
        CHECK(sorter.spec().capacity == 60);
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(sorter.spec(), demo::Distribution::uniform, 60, seed.value());
        sorter.sort(caller.load(sample));
        CHECK(caller.wrong(sample) == "");
        sorter.reserve(200);
        finish(sorter);
        CHECK(sorter.spec().capacity == 200);
        context.clear();
    }
}

TEST_CASE("a sorter that is being made can be told to become larger", "[reserve]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        SorterOptions options;
        options.construction = Construction::calls_refuse;
        Sorter sorter(small(place), context.get_proc_address(), options);
        sorter.ready(microseconds(0));
        sorter.reserve(100);
        sorter.reserve(700);
        finish(sorter);
        CHECK(sorter.spec().capacity == 700);
        context.require_clean("growth during construction");
    }
}

TEST_CASE("a scene grows while it is sorted", "[reserve][scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        SceneSpec spec{.sources = {weighted(50), weighted(7)}, .key = KeyType::u32, .backend = place.backend};
        SceneSorter sorter(spec, context.get_proc_address());
        const auto check = [&](const std::vector<std::uint32_t>& counts) {
            const std::vector<Filled> contents{filled(spec.sources[0].capacity, 3, random),
                                               filled(spec.sources[1].capacity, 3, random)};
            SceneCaller caller(context.gl(), spec, contents, counts);
            sorter.sort(caller.arguments);
            REQUIRE(caller.wrong(sorter, expected_order(spec, contents, counts), false) == "");
        };
        CHECK_THAT(error_of([&] { sorter.reserve(std::array{9u}); }),
                   Catch::Contains("1 capacities are given; the specification has 2 sources"));
        sorter.reserve(std::array{2000u, 3u});
        int calls = 0;
        do {
            check({50, 7});
            REQUIRE(++calls < 100000);
        } while (!sorter.ready(microseconds(0)));
        CHECK(calls > 3);
        CHECK(sorter.spec().sources[0].capacity == 2000);
        CHECK(sorter.spec().sources[1].capacity == 7);
        spec.sources[0].capacity = 2000;
        check({2000, 7});
        check({1, 0});
        context.require_clean("a scene that grows");
    }
}

TEST_CASE("a growth that fails at a shader does not stop the next one", "[reserve][scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        // A source without elements takes no shaders.
        SceneSpec spec{.sources = {weighted(50), weighted(0)}, .key = KeyType::u32, .backend = place.backend};
        const bool throws = random() % 2 == 0;
        static bool fails;
        fails = false;
        SorterOptions options;
        if (throws)
            options.binaries.load = [](std::string_view) -> std::vector<std::byte> {
                if (fails) throw std::runtime_error("the disk is gone");
                return {};
            };
        // Shaders that the first source does not need.
        spec.sources[1].sort_key = throws ? "// another text\n" + std::string(even_weights)
                                          : "bool sort_key(uint element, out uint key) { nonsense }";
        SceneSorter sorter(spec, context.get_proc_address(), options);
        fails = true;
        for (int attempt = 0; attempt < 2; ++attempt) {
            sorter.reserve(std::array{50u, 10u});
            if (!throws || has_binaries(context))
                CHECK_THROWS_WITH(finish(sorter), Catch::Contains(throws ? "the disk" : "GLSL does not compile"));
        }
        fails = false;
        spec.sources[0].capacity = 700;
        spec.sources[1].capacity = throws ? 10 : 0;
        sorter.reserve(std::array{700u, spec.sources[1].capacity});
        finish(sorter);
        const std::vector<Filled> contents{filled(700, 3, random), filled(spec.sources[1].capacity, 3, random)};
        const std::vector<std::uint32_t> counts{600, spec.sources[1].capacity};
        SceneCaller caller(context.gl(), spec, contents, counts);
        sorter.sort(caller.arguments);
        CHECK(caller.wrong(sorter, expected_order(spec, contents, counts), false) == "");
        context.clear();
    }
}

}  // namespace
}  // namespace glsort::test
