#include <glad/gl.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "sorter/sorting.h"
#include "support/fewer_modes.h"
#include "support/random.h"

/// What happens in a frame: nothing is compiled, and no memory or object of OpenGL is made.

namespace glsort::test {
namespace {

void count_what_a_frame_must_not(GlSpy& spy) {
    hide_renderer(spy);
    spy_on_allocations(spy);
    spy.count<&GladGLContext::CompileShader>("glCompileShader");
    spy.count<&GladGLContext::CreateProgram>("glCreateProgram");
    spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
    spy.count<&GladGLContext::ProgramBinary>("glProgramBinary");
    spy.count<&GladGLContext::GenSamplers>("glGenSamplers");
    spy.count<&GladGLContext::GenQueries>("glGenQueries");
    spy.count<&GladGLContext::GenTransformFeedbacks>("glGenTransformFeedbacks");
    spy.count<&GladGLContext::Finish>("glFinish");
}

/// Counts around powers of two, and random ones.
std::vector<std::uint32_t> many_counts(std::uint32_t capacity, std::mt19937_64& random) {
    std::vector<std::uint32_t> counts{capacity, 0, 1};
    for (std::uint32_t power = 2; power < capacity; power *= 2)
        counts.insert(counts.end(), {power - 1, power, power + 1});
    for (int i = 0; i < 30; ++i)
        counts.push_back(static_cast<std::uint32_t>(random() % (capacity + 1)));
    std::shuffle(counts.begin(), counts.end(), random);
    return counts;
}

TEST_CASE("a frame makes no object, for any count, algorithm and state", "[frames]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const Limits limits = describe_context(context.get_proc_address()).limits;
        GlSpy spy(context);
        count_what_a_frame_must_not(spy);
        for (const char* algorithm :
             {"automatic", "merge:multiway", "bitonic:step", "abisort:fused", "abisort:paper", "abisort:appendix-a",
              "sample:multi-level", "sample:paper", "sample:randomized", "radix"})
            for (const StatePolicy state : {StatePolicy::restore, StatePolicy::caller_resets}) {
                if (fewer_modes && random() % 2 == 0) continue;
                SortSpec spec;
                spec.algorithm = algorithm;
                spec.backend = place.backend;
                spec.payload = Payload::bytes(4);
                spec.capacity = 5000;
                SorterOptions options;
                options.state = state;
                options.report_finished = options.fence = true;
                INFO(describe(place) << ": " << algorithm);
                if (spec.algorithm != "automatic" && !runs_on(limits, spec)) continue;
                const auto sorter = std::make_unique<Sorter>(spec, spy.loader(), options);
                Caller caller(context.gl(), *sorter);
                const Sample sample = make_sample(spec, demo::Distribution::uniform, 5000, seed.value());
                SortArguments arguments = caller.load(sample);
                for (const std::uint32_t count : many_counts(5000, random)) {
                    arguments.count = count;
                    spy.forget();
                    sorter->sort(arguments);
                    INFO("count " << count);
                    REQUIRE(spy.called() == "");
                }
                reset_state(context.gl());
                context.require_clean("frames");
            }
    }
}

TEST_CASE("a frame of a scene makes no object, for any number of sources and any counts", "[frames][scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        GlSpy spy(context);
        count_what_a_frame_must_not(spy);
        for (const std::size_t sources : {std::size_t{1}, std::size_t{7}, max_scene_sources})
            for (const StatePolicy state : {StatePolicy::restore, StatePolicy::caller_resets}) {
                SceneSpec spec{.sources = {}, .key = KeyType::u32, .backend = place.backend};
                std::vector<Filled> contents;
                std::vector<std::uint32_t> counts;
                for (std::size_t i = 0; i < sources; ++i) {
                    spec.sources.push_back(weighted(200));
                    contents.push_back(filled(200, 4, random));
                    counts.push_back(200);
                }
                SorterOptions options;
                options.state = state;
                options.report_finished = options.fence = true;
                INFO(describe(place) << ", " << sources << " sources");
                SceneSorter sorter(spec, spy.loader(), options);
                SceneCaller caller(context.gl(), spec, contents, counts);
                for (int frame = 0; frame < 12; ++frame) {
                    for (SceneArguments::Source& source : caller.arguments.sources)
                        source.count = static_cast<std::uint32_t>(random() % 201);
                    spy.forget();
                    sorter.sort(caller.arguments);
                    REQUIRE(spy.called() == "");
                }
                reset_state(context.gl());
                context.require_clean("frames of scenes");
            }
    }
}

}  // namespace
}  // namespace glsort::test
