#include <thread>

#include "sorter/scenes.h"
#include "support/random.h"

namespace glsort::test {
namespace {

using Catch::Contains;

/// A scene in a context of its own, with its objects.
struct OwnScene {
    OwnScene(const Place& place, std::mt19937_64& random)
        : context(place.tier),
          spec{.sources = {weighted(100), weighted(50)}, .key = KeyType::u32, .backend = place.backend},
          contents{filled(100, 3, random), filled(50, 3, random)},
          sorter(spec, context.get_proc_address()),
          caller(context.gl(), spec, contents, {100, 50}) {
        check_sorts();
    }
    ~OwnScene() { context.make_current(); }

    void check_sorts() {
        sorter.sort(caller.arguments);
        CHECK(caller.wrong(sorter, expected_order(spec, contents, {100, 50}), false) == "");
    }

    void check_refuses(const char* reason) {
        CHECK_THAT(error_of([&] { sorter.sort(caller.arguments); }),
                   Contains("SceneSorter::sort: ") && Contains(reason));
    }

    TestContext context;
    SceneSpec spec;
    std::vector<Filled> contents;
    SceneSorter sorter;
    SceneCaller caller;
};

TEST_CASE("without its context a scene says so, changes nothing, and goes on later", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        OwnScene scene(place, random);
        std::thread([&] { scene.check_refuses("no OpenGL context is current"); }).join();
        const_cast<demo::HeadlessContext&>(scene.context.headless()).release_current();
        scene.check_refuses("no OpenGL context is current");
        {
            TestContext other(place.tier);
            const StateSnapshot before = take_snapshot(other.gl());
            scene.check_refuses("another OpenGL context is current than at construction");
            CHECK(diff(before, take_snapshot(other.gl())).empty());
            other.require_clean("another context");
        }
        scene.context.make_current();
        scene.check_sorts();
        scene.context.require_clean("the scene's context");
    }
}

}  // namespace
}  // namespace glsort::test
