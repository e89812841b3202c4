#include <array>
#include <memory>

#include "sorter/between_calls.h"
#include "sorter/gl_spy.h"

namespace glsort::test {
namespace {

using Catch::Contains;

/// Leaves GL_INVALID_ENUM pending.
void leave_error(const GladGLContext& gl) {
    gl.Enable(0x1234);
}

TEST_CASE("an error that is pending is left unread by sorts, steps and reads", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        for (const StatePolicy policy : {StatePolicy::restore, StatePolicy::caller_resets}) {
            TestContext& context = clean_context(place.tier);
            const GladGLContext& gl = context.gl();
            GlSpy spy(context);
            spy.count<&GladGLContext::GetError>("glGetError");
            SortSpec spec = small_spec(place.backend);
            spec.algorithm = "merge";
            spec.max_lists = 2;
            if (writes_textures(place)) spec.input = spec.output = Medium::texture;
            INFO(describe(place) << ": " << describe(spec));
            Bench bench(context, spec, spy.loader(), options_with(policy));
            const Sample sample = bench.sample(1);
            const SortArguments arguments = bench.caller.load(sample);
            spy.forget();
            const auto check_left = [&](const char* what, const auto& call) {
                INFO(what);
                leave_error(gl);
                call();
                CHECK(spy.calls("glGetError") == 0);
                CHECK(gl.GetError() == GL_INVALID_ENUM);
                CHECK(gl.GetError() == GL_NO_ERROR);
            };
            check_left("sort", [&] { bench.sorter.sort(arguments); });
            CHECK(bench.caller.wrong(sample) == "");
            // Another count needs a new plan.
            check_left("a sort of fewer", [&] {
                SortArguments fewer = arguments;
                fewer.count = 33;
                bench.sorter.sort(fewer);
            });
            check_left("merge", [&] { bench.sorter.merge(arguments, std::vector<std::uint32_t>{20, 30}); });
            check_left("begin", [&] { bench.stepper.begin(arguments); });
            check_left("step", [&] { bench.stepper.step(); });
            check_left("read", [&] { bench.stepper.read(0); });
            check_left("the other steps", [&] {
                while (bench.stepper.step()) {
                }
            });
            check_left("misuse", [&] {
                SortArguments wrong = arguments;
                wrong.count = 51;
                CHECK_THROWS_AS(bench.sorter.sort(wrong), Error);
            });
            check_left("destruction", [&] { const Sorter gone(std::move(bench.sorter)); });
            check_left("describe_context", [&] { describe_context(spy.loader()); });
            reset_state(gl);
            context.clear();
        }
    }
}

TEST_CASE("construction names the errors that are pending, and takes none for its own", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const SortSpec spec = small_spec(place.backend);
        leave_error(context.gl());
        CHECK_THAT(error_of([&] { Sorter(spec, context.get_proc_address()); }),
                   Contains("Sorter::Sorter") && Contains("pending") && Contains("GL_INVALID_ENUM"));
        CHECK(context.gl().GetError() == GL_NO_ERROR);
        context.clear();
        CHECK(error_of([&] { Sorter(spec, context.get_proc_address()); }) == "(nothing thrown)");

        // Errors that a test cannot cause. Some drivers keep one error of each kind.
        static std::vector<GLenum> pending;
        pending = {GL_OUT_OF_MEMORY, GL_INVALID_VALUE};
        GlSpy spy(context);
        spy.replace(
            "glGetError", +[]() -> GLenum {
                if (pending.empty()) return GlSpy::gl().GetError();
                const GLenum error = pending.front();
                pending.erase(pending.begin());
                return error;
            });
        CHECK_THAT(error_of([&] { Sorter(spec, spy.loader()); }),
                   Contains("pending") && Contains("GL_OUT_OF_MEMORY, GL_INVALID_VALUE") && !Contains("cannot hold"));
        CHECK(pending.empty());
        CHECK(error_of([&] { Sorter(spec, spy.loader()); }) == "(nothing thrown)");
        context.require_clean("pending errors");
    }
}

TEST_CASE("a lost context, which reports that for ever, does not hang construction", "[sorter]") {
    TestContext& context = clean_context(Tier::gl33);
    GlSpy spy(context);
    spy.replace(
        "glGetError", +[] { return GLenum{GL_CONTEXT_LOST}; });
    CHECK_THAT(error_of([&] { Sorter(small_spec(Backend::fragment), spy.loader()); }), Contains("GL_CONTEXT_LOST"));
    context.require_clean("a lost context");
}

TEST_CASE("a check that provokes an error names what was pending", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        INFO(describe(place));
        SortSpec spec = small_spec(place.backend);
        spec.input = spec.output = Medium::texture;
        Bench bench(context, spec);
        SortArguments arguments = bench.caller.load(bench.sample(1));
        GLuint layers = 0;
        gl.GenTextures(1, &layers);
        gl.BindTexture(GL_TEXTURE_2D_ARRAY, layers);
        gl.BindTexture(GL_TEXTURE_2D_ARRAY, 0);
        input_of(arguments).name = layers;
        leave_error(gl);
        CHECK_THAT(error_of([&] { bench.sorter.sort(arguments); }),
                   Contains("is not a GL_TEXTURE_2D") && Contains("GL_INVALID_ENUM"));
        CHECK(gl.GetError() == GL_NO_ERROR);
        gl.DeleteTextures(1, &layers);
        context.clear();
    }
}

}  // namespace
}  // namespace glsort::test
