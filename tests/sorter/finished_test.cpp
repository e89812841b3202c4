#include <glad/gl.h>

#include <memory>
#include <random>
#include <string>

#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "sorter/sorting.h"
#include "support/errors.h"
#include "support/random.h"

/// What a sorter tells of sorts that the GPU has finished, without a wait.

namespace glsort::test {
namespace {

SorterOptions reporting() {
    SorterOptions options;
    options.report_finished = true;
    options.fence = true;
    return options;
}

/// Counts the calls that wait, or may wait.
void watch_waits(GlSpy& spy) {
    hide_renderer(spy);
    spy.count<&GladGLContext::Finish>("glFinish");
    spy.count<&GladGLContext::WaitSync>("glWaitSync");
    spy.replace(
        "glClientWaitSync", +[](GLsync sync, GLbitfield flags, GLuint64 timeout) -> GLenum {
            CHECK(timeout == 0);
            CHECK(flags == 0);
            return GlSpy::gl().ClientWaitSync(sync, flags, timeout);
        });
}

TEST_CASE("finished sorts tell their number, count and time", "[finished]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        GlSpy spy(context);
        watch_waits(spy);
        SortSpec spec;
        spec.backend = place.backend;
        spec.capacity = 3000;
        Sorter sorter(spec, spy.loader(), reporting());
        CHECK_FALSE(sorter.finished().has_value());
        CHECK(sorter.fence() == nullptr);
        Caller caller(context.gl(), sorter);
        bool timed = false;
        double total = 0.0;
        for (const std::uint32_t n : {3000u, 0u, 7u, 2999u, 1u, 3000u, 12u}) {
            const Sample sample = make_sample(spec, demo::Distribution::uniform, n, seed.value());
            const std::optional<FinishedSort> before = sorter.finished();
            const void* const last_fence = sorter.fence();
            sorter.sort(caller.load(sample));
            context.driver().Finish();
            const std::optional<FinishedSort> after = sorter.finished();
            if (n == 0) {
                CHECK(after->number == before->number);
                CHECK(sorter.fence() != last_fence);
                continue;
            }
            REQUIRE(after.has_value());
            CHECK(after->number == (before ? before->number : 0) + 1);
            CHECK(after->count == n);
            CHECK_FALSE(after->clamped);
            if (tier_api(place.tier) == demo::Api::gl) REQUIRE(after->milliseconds.has_value());
            if (after->milliseconds) {
                timed = true;
                total += *after->milliseconds;
                CHECK(*after->milliseconds >= 0.0);
                CHECK(*after->milliseconds < 60000.0);
            }
            REQUIRE(sorter.fence() != nullptr);
            CHECK(context.gl().ClientWaitSync(static_cast<GLsync>(sorter.fence()), 0, 0) == GL_ALREADY_SIGNALED);
            CHECK(caller.wrong(sample) == "");
        }
        // Clocks of some drivers count in steps that are longer than a short sort.
        CHECK((!timed || total > 0.0));
        CHECK(spy.called() == "");
        context.require_clean("finished sorts");
    }
}

TEST_CASE("many sorts under way lose reports, but no order", "[finished]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        SortSpec spec;
        spec.backend = place.backend;
        spec.capacity = 500;
        spec.payload = Payload::none();
        Sorter sorter(spec, context.get_proc_address(), reporting());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 500, seed.value());
        caller.load(sample);
        std::uint64_t last = 0;
        for (std::uint64_t sorts = 1; sorts <= 40; ++sorts) {
            sorter.sort(caller.arguments());
            if (sorts % 7 == 0) context.driver().Finish();
            const std::optional<FinishedSort> finished = sorter.finished();
            if (!finished) continue;
            CHECK(finished->number >= last);
            CHECK(finished->number <= sorts);
            last = finished->number;
        }
        // Before the last wait seven sorts were under way, and four of these are reported at least.
        CHECK(last >= 32);
        context.driver().Finish();
        sorter.finished();
        // A growth goes on counting.
        sorter.reserve(800);
        while (!sorter.ready()) {
        }
        sorter.sort(caller.arguments());
        context.driver().Finish();
        CHECK(sorter.finished()->number == 41);
        context.require_clean("many sorts");
    }
}

TEST_CASE("a count on the GPU is told, and whether it was clamped", "[finished]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        SortSpec spec;
        spec.backend = place.backend;
        spec.capacity = 300;
        spec.payload = Payload::none();
        spec.gpu_count = true;
        Sorter sorter(spec, context.get_proc_address(), reporting());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 300, seed.value());
        SortArguments arguments = caller.load(sample);
        arguments.count = 0;
        for (const std::uint32_t count : {5u, 300u, 301u, 0u}) {
            const CallerBuffer buffer(context.gl(), {count});
            buffer.upload();
            arguments.gpu_count = {buffer.name(), 0};
            // A query buffer of the application's does not catch the times.
            GLuint queries = 0;
            if (place.tier == Tier::gl45) {
                context.gl().GenBuffers(1, &queries);
                context.gl().BindBuffer(GL_QUERY_BUFFER, queries);
                context.gl().BufferData(GL_QUERY_BUFFER, 64, nullptr, GL_DYNAMIC_COPY);
            }
            sorter.sort(arguments);
            context.driver().Finish();
            const std::optional<FinishedSort> finished = sorter.finished();
            REQUIRE(finished.has_value());
            CHECK(finished->count == std::min(count, 300u));
            CHECK(finished->clamped == (count > 300));
            if (queries != 0) {
                GLint bound = 0;
                context.gl().GetIntegerv(GL_QUERY_BUFFER_BINDING, &bound);
                CHECK(static_cast<GLuint>(bound) == queries);
                context.gl().DeleteBuffers(1, &queries);
            }
        }
        context.require_clean("counts of finished sorts");
    }
}

/// Whether a sorter in this place tells how long a sort took.
bool tells_time(TestContext& context, const Place& place) {
    SortSpec spec;
    spec.backend = place.backend;
    spec.capacity = 100;
    Sorter sorter(spec, context.get_proc_address(), reporting());
    Caller caller(context.gl(), sorter);
    sorter.sort(caller.load(make_sample(spec, demo::Distribution::uniform, 100, run_seed())));
    context.driver().Finish();
    const std::optional<FinishedSort> finished = sorter.finished();
    REQUIRE(finished.has_value());
    return finished->milliseconds.has_value();
}

TEST_CASE("a scene tells its visible items and its time, without a wait", "[finished][scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        const bool timed = tells_time(context, place);
        if (tier_api(place.tier) == demo::Api::gl) CHECK(timed);
        GlSpy spy(context);
        watch_waits(spy);
        SceneSpec spec{.sources = {weighted(900), weighted(70)}, .key = KeyType::u32, .backend = place.backend};
        spec.sources[0].gpu_count = true;
        SceneSorter sorter(spec, spy.loader(), reporting());
        CHECK_FALSE(sorter.finished().has_value());
        std::uint64_t number = 0;
        for (const std::uint32_t count : {900u, 4u, 950u}) {
            const std::vector<Filled> contents{filled(900, 3, random), filled(70, 3, random)};
            SceneCaller caller(context.gl(), spec, contents, {count, 70});
            sorter.sort(caller.arguments);
            context.driver().Finish();
            const Words expected = expected_order(spec, contents, {count, 70});
            CHECK(caller.wrong(sorter, expected, count > 900) == "");
            REQUIRE(sorter.finished().has_value());
            CHECK(sorter.finished()->number == ++number);
            CHECK(sorter.finished()->count == expected.size());
            CHECK(sorter.finished()->clamped == (count > 900));
            const std::optional<double> milliseconds = sorter.finished()->milliseconds;
            CHECK(milliseconds.has_value() == timed);
            if (milliseconds) {
                CHECK(*milliseconds >= 0.0);
                CHECK(*milliseconds < 60000.0);
            }
            CHECK(sorter.fence() != nullptr);
        }
        CHECK(spy.called() == "");
        context.require_clean("finished scenes");
    }
}

TEST_CASE("reports and fences are refused without their options", "[finished]") {
    TestContext& context = clean_context(Tier::gl33);
    Sorter sorter({.capacity = 8, .backend = Backend::fragment}, context.get_proc_address());
    CHECK_THAT(error_of([&] { sorter.finished(); }),
               Catch::Contains("Sorter::finished: the sorter was made without report_finished"));
    CHECK_THAT(error_of([&] { sorter.fence(); }), Catch::Contains("Sorter::fence: the sorter was made without fence"));
}

}  // namespace
}  // namespace glsort::test
