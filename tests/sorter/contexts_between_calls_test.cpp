// Keeps X11's headers and macros out of the native types.
#define EGL_NO_X11
#include <EGL/egl.h>

#include <memory>
#include <thread>

#include "sorter/between_calls.h"
#include "sorter/gl_spy.h"
#include "support/random.h"

namespace glsort::test {
namespace {

using Catch::Contains;

/// Checks that every call that needs OpenGL throws, with `reason` and its own name.
void check_refused_calls(Bench& bench, const std::string& reason) {
    Sorter& sorter = bench.sorter;
    Stepper& stepper = bench.stepper;
    const SortArguments arguments = bench.caller.arguments();
    const std::vector<std::uint32_t> lists{arguments.count};
    const auto check = [&](const char* name, const auto& call) {
        CHECK_THAT(error_of(call), Contains(std::string(name) + ": ") && Contains(reason));
    };
    check("Sorter::sort", [&] { sorter.sort(arguments); });
    check("Sorter::sort",
          [&] { sorter.sort(buffers_of(arguments).keys, buffers_of(arguments).values, arguments.count); });
    check("Sorter::merge", [&] { sorter.merge(arguments, lists); });
    check("Stepper::begin", [&] { stepper.begin(arguments); });
    check("Stepper::step", [&] { stepper.step(); });
    check("Stepper::read", [&] { stepper.read(0); });
}

/// A sorter in its own context, between two steps of a sort.
struct Stepped {
    explicit Stepped(const Place& place) : context(place.tier) {
        SortSpec spec = small_spec(place.backend);
        spec.algorithm = "merge";
        spec.max_lists = 2;
        bench = std::make_unique<Bench>(context, spec);
        sample = bench->sample(1);
        bench->stepper.begin(bench->caller.load(sample));
        bench->stepper.step();
    }
    ~Stepped() { context.make_current(); }

    void finish() {
        context.make_current();
        while (bench->stepper.step()) {
        }
        CHECK(bench->caller.wrong(sample) == "");
        CHECK(bench->wrong(2) == "");
        context.require_clean("the sorter's context");
    }

    TestContext context;
    std::unique_ptr<Bench> bench;
    Sample sample;
};

TEST_CASE("without a context every call says so, and the sorter goes on where it was", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        Stepped stepped(place);
        std::thread([&] { check_refused_calls(*stepped.bench, "no OpenGL context is current"); }).join();
        const_cast<demo::HeadlessContext&>(stepped.context.headless()).release_current();
        check_refused_calls(*stepped.bench, "no OpenGL context is current");
        // Calls without OpenGL work.
        CHECK(stepped.bench->stepper.steps_done() == 1);
        CHECK(stepped.bench->sorter.program(7).n == 7);
        std::string sources;
        for (std::size_t op = 0; op < stepped.bench->sorter.program(stepped.sample.count).ops.size(); ++op)
            sources += stepped.bench->stepper.source(op);
        CHECK_THAT(sources, Contains("main()"));  // Of the ops that are no transfers.
        CHECK(stepped.bench->sorter.texture_for(7).width > 0);
        stepped.finish();
    }
}

TEST_CASE("in another context every call says so, and changes nothing there", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        Stepped stepped(place);
        TestContext other(place.tier);
        const StateSnapshot before = take_snapshot(other.gl());
        check_refused_calls(*stepped.bench, "another OpenGL context is current than at construction");
        CHECK(diff(before, take_snapshot(other.gl())).empty());
        other.require_clean("another context");
        stepped.finish();
    }
}

/// A context that shares objects with the current context. It is current for the lifetime of this object.
class SharingContext {
  public:
    explicit SharingContext(const TestContext& context)
        : display_(eglGetCurrentDisplay()), first_(eglGetCurrentContext()) {
        const int version = tier_version(context.tier());
        EGLint config_id = 0;
        eglQueryContext(display_, first_, EGL_CONFIG_ID, &config_id);
        EGLConfig config = nullptr;  // Without a configuration: EGL_NO_CONFIG_KHR.
        if (config_id != 0) {
            const EGLint wanted[] = {EGL_CONFIG_ID, config_id, EGL_NONE};
            EGLint count = 0;
            eglChooseConfig(display_, wanted, &config, 1, &count);
        }
        const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, version / 10, EGL_CONTEXT_MINOR_VERSION, version % 10,
                                     EGL_NONE};
        context_ = eglCreateContext(display_, config, first_, attributes);
        REQUIRE(context_ != EGL_NO_CONTEXT);
        REQUIRE(eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_) == EGL_TRUE);
    }
    ~SharingContext() {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, first_);
        eglDestroyContext(display_, context_);
    }
    SharingContext(const SharingContext&) = delete;
    SharingContext& operator=(const SharingContext&) = delete;

  private:
    EGLDisplay display_;
    EGLContext first_;
    EGLContext context_ = EGL_NO_CONTEXT;
};

TEST_CASE("a context that shares objects is another one; its buffers are sorted in the sorter's", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        Stepped stepped(place);
        const GladGLContext& gl = stepped.context.gl();
        std::unique_ptr<Caller> shared;
        const Sample sample = stepped.bench->sample(3);
        {
            const SharingContext sharing(stepped.context);
            check_refused_calls(*stepped.bench, "another OpenGL context is current than at construction");
            shared = std::make_unique<Caller>(gl, stepped.bench->sorter);
            shared->load(sample);
            CHECK(gl.GetError() == GL_NO_ERROR);
            gl.Finish();
        }
        stepped.bench->sorter.sort(shared->arguments());
        CHECK(shared->wrong(sample) == "");
        stepped.context.require_clean("shared objects");
    }
}

/// Objects of every kind that a sorter has, with the lowest names.
class Objects {
  public:
    explicit Objects(const GladGLContext& gl) : gl_(gl) {
        for (GLuint i = 0; i < most; ++i) {
            GLuint name = 0;
            gl.GenBuffers(1, &name);
            gl.BindBuffer(GL_COPY_READ_BUFFER, name);
            gl.GenTextures(1, &name);
            gl.BindTexture(GL_TEXTURE_2D, name);
            gl.GenFramebuffers(1, &name);
            gl.BindFramebuffer(GL_READ_FRAMEBUFFER, name);
            gl.GenVertexArrays(1, &name);
            gl.BindVertexArray(name);
            gl.GenSamplers(1, &name);
            gl.CreateProgram();
        }
    }

    /// The number of objects that are alive.
    GLuint count() const {
        GLuint there = 0;
        for (GLuint name = 1; name <= 2 * most; ++name)
            for (const auto is :
                 {gl_.IsBuffer, gl_.IsTexture, gl_.IsFramebuffer, gl_.IsVertexArray, gl_.IsSampler, gl_.IsProgram})
                there += is(name) == GL_TRUE ? 1 : 0;
        return there;
    }

    static constexpr GLuint most = 100;

  private:
    const GladGLContext& gl_;
};

/// Counts every call that deletes an object.
void count_deletions(GlSpy& spy) {
    spy.count<&GladGLContext::DeleteBuffers>("glDeleteBuffers");
    spy.count<&GladGLContext::DeleteTextures>("glDeleteTextures");
    spy.count<&GladGLContext::DeleteSamplers>("glDeleteSamplers");
    spy.count<&GladGLContext::DeleteFramebuffers>("glDeleteFramebuffers");
    spy.count<&GladGLContext::DeleteVertexArrays>("glDeleteVertexArrays");
    spy.count<&GladGLContext::DeleteTransformFeedbacks>("glDeleteTransformFeedbacks");
    spy.count<&GladGLContext::DeleteProgram>("glDeleteProgram");
}

TEST_CASE("a sorter that goes in another context, or in none, touches no object there", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext first(place.tier);
        auto one = std::make_unique<Sorter>(small_spec(place.backend), first.get_proc_address());
        GlSpy spy(first);
        count_deletions(spy);
        auto two = std::make_unique<Sorter>(small_spec(place.backend), spy.loader());
        Sorter three(small_spec(place.backend), first.get_proc_address());
        Sorter four(small_spec(place.backend, 7), first.get_proc_address());
        TestContext other(place.tier);
        const Objects objects(other.gl());
        CHECK(objects.count() == 6 * Objects::most);
        one.reset();
        three = std::move(four);
        CHECK(three.spec().capacity == 7);
        CHECK(objects.count() == 6 * Objects::most);
        other.require_clean("destruction in another context");
        // Without a context, no object may be deleted. Drivers may not notice such a call, so the spy counts.
        spy.forget();
        const_cast<demo::HeadlessContext&>(other.headless()).release_current();
        two.reset();
        CHECK(spy.called() == "");
        other.make_current();
        CHECK(objects.count() == 6 * Objects::most);
        first.make_current();
        first.require_clean("the sorters' context");
    }
}

/// Checks that every call of a sorter without contents throws, with the name of the call.
void check_holds_nothing(Sorter& sorter) {
    const std::vector<std::uint32_t> lists{1};
    const auto check = [&](const char* name, const auto& call) {
        CHECK_THAT(error_of(call), Contains(std::string(name) + ": the sorter was moved from, or abandoned"));
    };
    check("Sorter::sort", [&] { sorter.sort({}); });
    check("Sorter::sort", [&] { sorter.sort({1}, 1); });
    check("Sorter::sort_to_texture", [&] { sorter.sort_to_texture({}); });
    check("Sorter::own_texture", [&] { sorter.own_texture(); });
    check("Sorter::merge", [&] { sorter.merge({}, lists); });
    check("Sorter::merge_to_texture", [&] { sorter.merge_to_texture({}, lists); });
    check("Stepper::Stepper", [&] { Stepper{sorter}; });
    check("Sorter::program", [&] { sorter.program(1); });
    check("Sorter::texture_for", [&] { sorter.texture_for(1); });
    check("Sorter::spec", [&] { sorter.spec(); });
    check("Sorter::scratch_bytes", [&] { sorter.scratch_bytes(); });
}

/// Like check_holds_nothing(), for a stepper whose sorter is gone.
void check_steps_nothing(Stepper& stepper) {
    const auto check = [&](const char* name, const auto& call) {
        CHECK_THAT(error_of(call), Contains(std::string(name) + ": the sorter was moved from, or abandoned"));
    };
    check("Stepper::begin", [&] { stepper.begin({}); });
    check("Stepper::step", [&] { stepper.step(); });
    check("Stepper::steps_done", [&] { stepper.steps_done(); });
    check("Stepper::read", [&] { stepper.read(0); });
    check("Stepper::source", [&] { stepper.source(0); });
}

TEST_CASE("a sorter that is abandoned deletes nothing, and says that it holds nothing", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        // In its own context, because abandoned objects stay.
        TestContext context(place.tier);
        GlSpy spy(context);
        count_deletions(spy);
        {
            Sorter sorter(small_spec(place.backend), spy.loader());
            Stepper stepper(sorter);
            spy.forget();
            sorter.abandon();
            check_holds_nothing(sorter);
            check_steps_nothing(stepper);
            sorter.abandon();
            CHECK(spy.called() == "");
            sorter = Sorter(small_spec(place.backend), spy.loader());
            CHECK(sorter.spec().capacity == 50);
            spy.forget();
        }
        CHECK(spy.all_calls() > 0);
        context.require_clean("an abandoned sorter");
    }
}

TEST_CASE("a sorter outlives its context, if it is abandoned before", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        auto first = std::make_unique<TestContext>(place.tier);
        Sorter sorter(small_spec(place.backend), first->get_proc_address());
        sorter.abandon();
        first.reset();
        // This context may have the address of the first one.
        TestContext second(place.tier);
        const Objects objects(second.gl());
        { const Sorter gone(std::move(sorter)); }
        CHECK(objects.count() == 6 * Objects::most);
        second.require_clean("a context behind another");
    }
}

TEST_CASE("calls of a sorter that was moved from throw", "[sorter]") {
    TestContext& context = clean_context(Tier::gl33);
    Sorter a(small_spec(Backend::fragment), context.get_proc_address());
    Sorter b(std::move(a));
    check_holds_nothing(a);  // NOLINT(bugprone-use-after-move)
    Sorter c(small_spec(Backend::fragment, 3), context.get_proc_address());
    c = std::move(b);
    check_holds_nothing(b);  // NOLINT(bugprone-use-after-move)
    b = std::move(c);
    CHECK(b.spec().capacity == 50);
    context.require_clean("moved from");
}

}  // namespace
}  // namespace glsort::test
