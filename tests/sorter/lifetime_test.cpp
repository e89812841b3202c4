#include <memory>
#include <set>
#include <thread>

#include "sorter/gl_spy.h"
#include "sorter/sorting.h"
#include "support/random.h"

namespace glsort::test {
namespace {

SortSpec spec_of(Backend backend, std::uint32_t capacity) {
    SortSpec spec;
    spec.backend = backend;
    spec.capacity = capacity;
    return spec;
}

TEST_CASE("several sorters of one context work by turns, step by step", "[sorter]") {
    const Seed seed;
    for (const Tier tier : {Tier::gl45, Tier::gl33, Tier::es31}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        struct Work {
            Sorter sorter;
            Stepper stepper;
            Caller caller;
            Sample sample;
            bool done = false;
            Work(TestContext& at, const SortSpec& spec, std::uint64_t number)
                : sorter(spec, at.get_proc_address()),
                  stepper(sorter),
                  caller(at.gl(), sorter),
                  sample(make_sample(spec, demo::Distribution::uniform, spec.capacity, number)) {
                stepper.begin(caller.load(sample));
            }
        };
        std::vector<std::unique_ptr<Work>> works;
        for (const Backend backend : backends_of_tier(tier))
            for (const std::uint32_t capacity : {50u, 64u, 1u}) {
                SortSpec spec = spec_of(backend, capacity);
                // merge:multiway has several ops on all devices. The automatic choice may have one.
                spec.algorithm = "merge:multiway";
                works.push_back(std::make_unique<Work>(context, spec, seed.value() + capacity));
                if (!writes_textures({tier, backend})) continue;
                spec.output = Medium::texture;
                works.push_back(std::make_unique<Work>(context, spec, seed.value() + capacity));
            }
        for (bool any = true; any;) {
            any = false;
            for (const auto& work : works) {
                if (!work->done) work->done = !work->stepper.step();
                any = any || !work->done;
            }
        }
        for (const auto& work : works) {
            INFO(tier_name(tier) << ": " << describe(work->sorter.spec()));
            CHECK(work->caller.wrong(work->sample) == "");
        }
        // The first sorters are destroyed first, and the others continue to sort.
        while (works.size() > 1) {
            works.erase(works.begin());
            Work& last = *works.back();
            last.sorter.sort(last.caller.load(last.sample));
            CHECK(last.caller.wrong(last.sample) == "");
        }
        context.require_clean("several sorters");
    }
}

TEST_CASE("two contexts alternate on one thread", "[sorter]") {
    const Seed seed;
    TestContext first(Tier::gl33);
    const SortSpec spec = spec_of(Backend::fragment, 100);
    auto first_sorter = std::make_unique<Sorter>(spec, first.get_proc_address());
    auto first_caller = std::make_unique<Caller>(first.gl(), *first_sorter);
    TestContext second(available(Tier::es30) ? Tier::es30 : Tier::gl33);
    second.make_current();
    auto second_sorter = std::make_unique<Sorter>(spec, second.get_proc_address());
    auto second_caller = std::make_unique<Caller>(second.gl(), *second_sorter);
    Stepper first_stepper(*first_sorter);
    Stepper second_stepper(*second_sorter);
    for (std::uint32_t n = 90; n <= 100; ++n) {
        const Sample sample = make_sample(spec, demo::Distribution::uniform, n, seed.value() + n);
        first.make_current();
        first_stepper.begin(first_caller->load(sample));
        first_stepper.step();
        second.make_current();
        second_stepper.begin(second_caller->load(sample));
        bool more = true;
        while (more) {
            first.make_current();
            more = first_stepper.step();
            second.make_current();
            more = second_stepper.step() || more;
        }
        CHECK(second_caller->wrong(sample) == "");
        first.make_current();
        CHECK(first_caller->wrong(sample) == "");
    }
    first.require_clean("the first of two contexts");
    first_caller.reset();
    first_sorter.reset();
    second.make_current();
    second.require_clean("the second of two contexts");
    second_caller.reset();
    second_sorter.reset();
}

TEST_CASE("a sorter works in the thread in which its context is current", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext context(place.tier);
        const SortSpec spec = spec_of(place.backend, 200);
        std::unique_ptr<Sorter> sorter;
        std::unique_ptr<Caller> caller;
        std::string wrong = "nothing done";
        // A context is current in one thread at most.
        auto& headless = const_cast<demo::HeadlessContext&>(context.headless());
        headless.release_current();
        const auto in_thread = [&](const auto& work) {
            std::thread([&] {
                context.make_current();
                work();
                context.require_clean("a thread");
                headless.release_current();
            }).join();
        };
        // Made in one thread, used in another, destroyed in a third.
        in_thread([&] {
            sorter = std::make_unique<Sorter>(spec, context.get_proc_address());
            caller = std::make_unique<Caller>(context.gl(), *sorter);
        });
        in_thread([&] {
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 200, seed.value());
            sorter->sort(caller->load(sample));
            wrong = caller->wrong(sample);
        });
        INFO(describe(place));
        CHECK(wrong == "");
        in_thread([&] {
            caller.reset();
            sorter.reset();
        });
        context.make_current();
    }
}

TEST_CASE("sorters move", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const SortSpec small = spec_of(place.backend, 20);
        SortSpec large = spec_of(place.backend, 300);
        // bitonic:step has many ops on all devices. The automatic choice may have one.
        large.algorithm = "bitonic:step";
        Sorter a(small, context.get_proc_address());
        Sorter b(large, context.get_proc_address());
        Caller caller(context.gl(), b);
        const Sample sample = make_sample(large, demo::Distribution::uniform, 300, seed.value());
        INFO(describe(place));
        // Between two steps of a sort.
        REQUIRE(b.program(300).ops.size() > 3);
        Stepper stepper(b);
        stepper.begin(caller.load(sample));
        stepper.step();
        Sorter c(std::move(b));
        stepper.step();
        a = std::move(c);  // The previous contents of `a` are destroyed.
        CHECK(a.spec().capacity == 300);
        CHECK(stepper.steps_done() == 2);
        while (stepper.step()) {
        }
        CHECK(caller.wrong(sample) == "");
        b = Sorter(small, context.get_proc_address());
        CHECK(b.spec().capacity == 20);
        std::vector<Sorter> many;
        many.push_back(std::move(a));
        many.push_back(std::move(b));
        many.erase(many.begin());
        CHECK(many.front().spec().capacity == 20);
        context.require_clean("moves");
    }
}

TEST_CASE("a sorter makes its objects at construction, and deletes each of them", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        GlSpy spy(context);
        spy.track<&GladGLContext::GenBuffers, &GladGLContext::DeleteBuffers>("Buffers");
        spy.track<&GladGLContext::GenTextures, &GladGLContext::DeleteTextures>("Textures");
        spy.track<&GladGLContext::GenSamplers, &GladGLContext::DeleteSamplers>("Samplers");
        spy.track<&GladGLContext::GenFramebuffers, &GladGLContext::DeleteFramebuffers>("Framebuffers");
        spy.track<&GladGLContext::GenVertexArrays, &GladGLContext::DeleteVertexArrays>("VertexArrays");
        spy.track<&GladGLContext::GenTransformFeedbacks, &GladGLContext::DeleteTransformFeedbacks>(
            "TransformFeedbacks");
        spy.count<&GladGLContext::CreateProgram>("glCreateProgram");
        spy.count<&GladGLContext::DeleteProgram>("glDeleteProgram");
        spy.count<&GladGLContext::CreateShader>("glCreateShader");
        spy.count<&GladGLContext::DeleteShader>("glDeleteShader");
        for (const Medium output : {Medium::buffer, Medium::texture}) {
            if (output == Medium::texture && !writes_textures(place)) continue;
            SortSpec spec = spec_of(place.backend, 150);
            spec.output = output;
            spec.own_output = output == Medium::texture;
            INFO(describe(place) << ": " << describe(spec));
            spy.forget();
            {
                Sorter sorter(spec, spy.loader());
                Stepper stepper(sorter);
                Caller caller(context.gl(), sorter);
                const std::size_t objects = spy.all_alive();
                const std::size_t programs = spy.calls("glCreateProgram");
                CHECK(objects > 0);
                CHECK(spy.calls("glCreateShader") == spy.calls("glDeleteShader"));
                for (std::uint32_t n = 0; n <= 150; n += n < 10 ? 1 : 7) {
                    const Sample sample = make_sample(spec, demo::Distribution::uniform, n, seed.value() + n);
                    const std::size_t streams = sorter.program(n).streams.size();
                    stepper.begin(caller.load(sample));
                    while (stepper.step())
                        for (StreamId id = 0; n % 8 == 1 && id < streams; ++id)
                            stepper.read(id);
                    caller.load(sample);
                    if (spec.own_output)
                        sorter.sort_to_texture(caller.arguments());
                    else
                        sorter.sort(caller.arguments());
                }
                CHECK(spy.all_alive() == objects);
                CHECK(spy.calls("glCreateProgram") == programs);
            }
            CHECK(spy.all_alive() == 0);
            CHECK(spy.calls("glCreateProgram") == spy.calls("glDeleteProgram"));
        }
        context.require_clean("objects");
    }
}

TEST_CASE("a sorter holds no object of the caller's between sorts", "[sorter]") {
    // A texture that is attached to a framebuffer outlives its deletion. So does a buffer that is bound to a transform
    // feedback. Such a name is not used again meanwhile.
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        GlSpy spy(context);
        static std::map<GLuint, GLuint> attached;  // By framebuffer.
        static GLuint bound;
        static std::set<GLuint> seen;  // All textures that were ever attached.
        attached.clear();
        seen.clear();
        bound = 0;
        spy.replace(
            "glBindFramebuffer", +[](GLenum target, GLuint name) {
                bound = name;
                GlSpy::gl().BindFramebuffer(target, name);
            });
        spy.replace(
            "glFramebufferTexture2D", +[](GLenum target, GLenum attachment, GLenum kind, GLuint name, GLint level) {
                seen.insert(name);
                if (name == 0)
                    attached.erase(bound);
                else
                    attached[bound] = name;
                GlSpy::gl().FramebufferTexture2D(target, attachment, kind, name, level);
            });
        SortSpec spec = spec_of(place.backend, 40);
        spec.output = Medium::texture;
        Sorter sorter(spec, spy.loader());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 40, 1);
        sorter.sort(caller.load(sample));
        INFO(describe(place));
        if (place.backend == Backend::fragment) CHECK(seen.contains(caller.arguments().output.name));
        for (const auto& [framebuffer, texture] : attached)
            CHECK(texture != caller.arguments().output.name);
        context.require_clean("attachments");
    }
    for (const Tier tier : all_tiers()) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        GlSpy spy(context);
        static std::map<GLuint, GLuint> captured;  // By index of the transform feedback.
        captured.clear();
        spy.replace(
            "glBindBufferRange", +[](GLenum target, GLuint index, GLuint name, GLintptr offset, GLsizeiptr size) {
                if (target == GL_TRANSFORM_FEEDBACK_BUFFER) captured[index] = name;
                GlSpy::gl().BindBufferRange(target, index, name, offset, size);
            });
        spy.replace(
            "glBindBufferBase", +[](GLenum target, GLuint index, GLuint name) {
                if (target == GL_TRANSFORM_FEEDBACK_BUFFER) captured[index] = name;
                GlSpy::gl().BindBufferBase(target, index, name);
            });
        const SortSpec spec = spec_of(Backend::fragment, 40);
        Sorter sorter(spec, spy.loader());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 40, 1);
        sorter.sort(caller.load(sample));
        INFO(tier_name(tier));
        // OpenGL packs pixels instead. The tests of the state check its bindings.
        if (tier == Tier::es30 || tier == Tier::es31) CHECK(captured.size() >= 2);
        for (const auto& [index, buffer] : captured)
            CHECK(buffer == 0);
        context.require_clean("captured buffers");
    }
}

}  // namespace
}  // namespace glsort::test
