#include <array>
#include <memory>

#include "sorter/between_calls.h"
#include "sorter/gl_spy.h"
#include "support/skip.h"

namespace glsort::test {
namespace {

using Catch::Contains;

TEST_CASE("a buffer that is mapped is refused by its name", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        Bench bench(context, stepped_spec(place.backend));
        const Sample sample = bench.sample(1);
        const SortArguments& arguments = bench.caller.load(sample);
        for (const auto& [argument, name] :
             {std::pair{"keys", buffers_of(arguments).keys.name}, {"values", buffers_of(arguments).values.name}}) {
            gl.BindBuffer(GL_COPY_WRITE_BUFFER, name);
            REQUIRE(gl.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, 4, GL_MAP_READ_BIT) != nullptr);
            CHECK_THAT(error_of([&] { bench.sorter.sort(arguments); }),
                       Contains("Sorter::sort: " + name_text(argument, name)) && Contains("mapped"));
            CHECK_THAT(error_of([&] { bench.stepper.begin(arguments); }),
                       Contains("Stepper::begin: " + name_text(argument, name)) && Contains("mapped"));
            gl.BindBuffer(GL_COPY_WRITE_BUFFER, name);
            gl.UnmapBuffer(GL_COPY_WRITE_BUFFER);
            gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
        }
        CHECK(bench.caller.changed() == "");
        bench.stepper.begin(arguments);
        bench.stepper.step();
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffers_of(arguments).keys.name);
        REQUIRE(gl.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, 4, GL_MAP_READ_BIT) != nullptr);
        CHECK_THAT(error_of([&] { bench.stepper.step(); }), Contains("Stepper::step") && Contains("mapped"));
        gl.UnmapBuffer(GL_COPY_WRITE_BUFFER);
        while (bench.stepper.step()) {
        }
        CHECK(bench.caller.wrong(sample) == "");
        context.require_clean("mapped buffers");
    }
}

TEST_CASE("where the caller resets, a buffer that is mapped is OpenGL's to refuse", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec = stepped_spec(place.backend);
        Bench bench(context, spec, options_with(StatePolicy::caller_resets));
        const SortArguments& arguments = bench.caller.load(bench.sample(1));
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffers_of(arguments).keys.name);
        REQUIRE(gl.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, 4, GL_MAP_READ_BIT) != nullptr);
        CHECK_NOTHROW(bench.sorter.sort(arguments));
        // OpenGL refuses transfers. It may refuse dispatches, or sort the mapped buffer.
        const bool refused = !context.problems().empty();
        if (place.backend == Backend::fragment) CHECK(refused);
        reset_state(gl);
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffers_of(arguments).keys.name);
        // NVIDIA's driver for OpenGL ES has unmapped the buffer already.
        gl.UnmapBuffer(GL_COPY_WRITE_BUFFER);
        context.clear();
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
        // The next sort is right again.
        const Sample sample = bench.sample(2);
        bench.sorter.sort(bench.caller.load(sample));
        reset_state(gl);
        CHECK(bench.caller.wrong(sample) == "");
        context.require_clean("a mapped buffer where the caller resets");
    }
}

TEST_CASE("buffers that are mapped persistently are sorted and read", "[sorter]") {
    const Tier tier = GENERATE(Tier::gl45, Tier::es32);
    if (skipped_without(tier)) return;
    TestContext& context = clean_context(tier);
    const GladGLContext& gl = context.gl();
    // On OpenGL ES, the function of EXT_buffer_storage.
    const auto buffer_storage = reinterpret_cast<PFNGLBUFFERSTORAGEPROC>(
        context.get_proc_address()(tier == Tier::gl45 ? "glBufferStorage" : "glBufferStorageEXT"));
    for (const Backend backend : {Backend::fragment, Backend::compute})
        for (const StatePolicy policy : {StatePolicy::restore, StatePolicy::caller_resets}) {
            SortSpec spec = small_spec(backend);
            spec.payload = Payload::none();
            Sorter sorter(spec, context.get_proc_address(), options_with(policy));
            Stepper stepper(sorter);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 50, 1);
            GLuint buffer = 0;
            gl.GenBuffers(1, &buffer);
            gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
            constexpr GLbitfield access =
                GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
            buffer_storage(GL_COPY_WRITE_BUFFER, 200, nullptr, access);
            auto* words = static_cast<std::uint32_t*>(gl.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, 200, access));
            REQUIRE(words != nullptr);
            for (int turn = 0; turn < 3; ++turn) {
                std::copy(sample.keys.begin(), sample.keys.end(), words);
                sorter.sort({.input = Buffers{{buffer}}, .count = 50});
                gl.MemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
                gl.Finish();
                CHECK(Words(words, words + 50) == sample.sorted_keys);
            }
            stepper.begin({.input = Buffers{{buffer}}, .count = 50});
            CHECK(stepper.read(sorter.program(50).stream("keys")) == sample.sorted_keys);
            while (stepper.step()) {
            }
            CHECK(stepper.read(sorter.program(50).stream("keys")) == sample.sorted_keys);
            gl.DeleteBuffers(1, &buffer);
            reset_state(gl);
            context.require_clean("persistently mapped buffers");
        }
}

// The transform feedback of ANGLE writes no mapped buffers (docs/driver-faults.md).
TEST_CASE("buffers that are mapped persistently are sorted in OpenGL ES 3.1, or refused by their names", "[sorter]") {
    if (skipped_without(Tier::es31)) return;
    TestContext context(Tier::es31, {"*"});
    const GladGLContext& gl = context.gl();
    const auto buffer_storage =
        reinterpret_cast<PFNGLBUFFERSTORAGEPROC>(context.get_proc_address()("glBufferStorageEXT"));
    if (buffer_storage == nullptr) return skip("EXT_buffer_storage is missing");
    const std::string renderer = reinterpret_cast<const char*>(gl.GetString(GL_RENDERER));
    const bool is_angle = renderer.find("ANGLE") != std::string::npos;
    for (const Backend backend : {Backend::fragment, Backend::compute}) {
        SortSpec spec = small_spec(backend);
        spec.payload = Payload::none();
        Sorter sorter(spec, context.get_proc_address());
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 50, 1);
        GLuint buffer = 0;
        gl.GenBuffers(1, &buffer);
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, buffer);
        constexpr GLbitfield access = GL_MAP_READ_BIT | GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
        buffer_storage(GL_COPY_WRITE_BUFFER, 200, sample.keys.data(), access);
        auto* words = static_cast<std::uint32_t*>(gl.MapBufferRange(GL_COPY_WRITE_BUFFER, 0, 200, access));
        REQUIRE(words != nullptr);
        const SortArguments arguments{.input = Buffers{{buffer}}, .count = 50};
        const bool refuses = is_angle && backend == Backend::fragment;
        if (refuses) {
            CHECK_THAT(error_of([&] { sorter.sort(arguments); }),
                       Contains("Sorter::sort: " + name_text("keys", buffer)) && Contains("mapped"));
        } else {
            sorter.sort(arguments);
        }
        gl.MemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
        gl.Finish();
        CHECK(Words(words, words + 50) == (refuses ? sample.keys : sample.sorted_keys));
        gl.DeleteBuffers(1, &buffer);
        reset_state(gl);
        context.require_clean("persistently mapped buffers");
    }
}

TEST_CASE("a current program that is flagged for deletion goes, and the sort is right", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        Bench bench(context, stepped_spec(place.backend));
        const Sample sample = bench.sample(1);
        bench.caller.load(sample);
        const GLuint program = gl.CreateProgram();
        const std::string version =
            tier_api(place.tier) == demo::Api::gles ? "#version 300 es\n" : "#version 330 core\n";
        for (const auto& [stage, body] : {std::pair{GL_VERTEX_SHADER, "void main() { gl_Position = vec4(0.0); }\n"},
                                          {GL_FRAGMENT_SHADER, "void main() {}\n"}}) {
            const GLuint shader = gl.CreateShader(stage);
            const std::string text = version + body;
            const char* pointer = text.c_str();
            gl.ShaderSource(shader, 1, &pointer, nullptr);
            gl.CompileShader(shader);
            gl.AttachShader(program, shader);
            gl.DeleteShader(shader);
        }
        gl.LinkProgram(program);
        gl.UseProgram(program);
        gl.DeleteProgram(program);
        REQUIRE(gl.IsProgram(program) == GL_TRUE);
        bench.sorter.sort(bench.caller.arguments());
        CHECK(gl.IsProgram(program) == GL_FALSE);
        GLint current = -1;
        gl.GetIntegerv(GL_CURRENT_PROGRAM, &current);
        CHECK(current == 0);
        CHECK(bench.caller.wrong(sample) == "");
        context.require_clean("a program flagged for deletion");
    }
}

TEST_CASE("queries and transform feedback that are active go on behind every call", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        Bench bench(context, stepped_spec(place.backend));
        const Sample sample = bench.sample(1);
        const SortArguments& arguments = bench.caller.load(sample);
        const bool feedback = place.tier != Tier::gl33;
        {
            const DirtyState dirty(gl, 7, {.active_transform_feedback = feedback, .active_query = true});
            const auto check_active = [&](const char* what) {
                INFO(what);
                GLint query = 0;
                gl.GetQueryiv(GL_ANY_SAMPLES_PASSED, GL_CURRENT_QUERY, &query);
                CHECK(query != 0);
                if (!feedback) return;
                GLint active = 0;
                GLint paused = 1;
                gl.GetIntegerv(GL_TRANSFORM_FEEDBACK_ACTIVE, &active);
                gl.GetIntegerv(GL_TRANSFORM_FEEDBACK_PAUSED, &paused);
                CHECK(active == 1);
                CHECK(paused == 0);
            };
            bench.stepper.begin(arguments);
            check_active("begin");
            while (bench.stepper.step()) {
                check_active("step");
                bench.stepper.read(0);
                check_active("read");
            }
            bench.sorter.sort(arguments);
            check_active("sort");
        }
        CHECK(bench.caller.wrong(sample) == "");
        context.require_clean("active queries and feedback");
    }
}

TEST_CASE("queries that are active count what the library draws, and nothing of dispatches", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        Bench bench(context, stepped_spec(place.backend));
        std::vector<GLenum> targets{GL_ANY_SAMPLES_PASSED};
        if (tier_api(place.tier) == demo::Api::gl)
            targets.insert(targets.end(), {GL_SAMPLES_PASSED, GL_PRIMITIVES_GENERATED});
        for (const GLenum target : targets) {
            const Sample sample = bench.sample(target);
            const SortArguments& arguments = bench.caller.load(sample);
            GLuint query = 0;
            gl.GenQueries(1, &query);
            gl.BeginQuery(target, query);
            bench.sorter.sort(arguments);
            gl.EndQuery(target);
            GLuint counted = 0;
            gl.GetQueryObjectuiv(query, GL_QUERY_RESULT, &counted);
            gl.DeleteQueries(1, &query);
            INFO(target);
            CHECK((counted > 0) == (place.backend == Backend::fragment));
            CHECK(bench.caller.wrong(sample) == "");
        }
        context.require_clean("queries that count");
    }
}

TEST_CASE("the filters of the caller's texture are as they were after every step", "[sorter]") {
    if (!available(Tier::gl45)) return;
    TestContext& context = clean_context(Tier::gl45);
    const GladGLContext& gl = context.gl();
    for (const Backend backend : backends_of_tier(Tier::gl45)) {
        INFO(to_string(backend));
        SortSpec spec = small_spec(backend);
        spec.input = spec.output = Medium::texture;
        Bench bench(context, spec);
        const Sample sample = bench.sample(1);
        const SortArguments& arguments = bench.caller.load(sample);
        const auto filters = [&] {
            std::array<GLint, 2> found{};
            gl.BindTexture(GL_TEXTURE_2D, arguments.output.name);
            gl.GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, &found[0]);
            gl.GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, &found[1]);
            gl.BindTexture(GL_TEXTURE_2D, 0);
            return found;
        };
        const std::array<GLint, 2> before = filters();
        CHECK(before == std::array<GLint, 2>{GL_NEAREST_MIPMAP_LINEAR, GL_LINEAR});
        bench.stepper.begin(arguments);
        CHECK(filters() == before);
        while (bench.stepper.step())
            CHECK(filters() == before);
        CHECK(bench.caller.wrong(sample) == "");
        // The sort stops between two steps.
        bench.stepper.begin(bench.caller.load(sample));
        bench.stepper.step();
        CHECK(filters() == before);
        context.require_clean("filters");
    }
}

TEST_CASE("between steps no framebuffer holds the caller's texture", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::fragment) continue;
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        GlSpy spy(context);
        static std::map<GLuint, GLuint> held;  // By framebuffer.
        static GLuint drawn_to;
        held.clear();
        drawn_to = 0;
        spy.replace(
            "glBindFramebuffer", +[](GLenum target, GLuint name) {
                if (target != GL_READ_FRAMEBUFFER) drawn_to = name;
                GlSpy::gl().BindFramebuffer(target, name);
            });
        spy.replace(
            "glFramebufferTexture2D", +[](GLenum target, GLenum attachment, GLenum kind, GLuint name, GLint level) {
                if (target != GL_READ_FRAMEBUFFER) held[drawn_to] = name;
                GlSpy::gl().FramebufferTexture2D(target, attachment, kind, name, level);
            });
        SortSpec spec = small_spec(place.backend);
        spec.output = Medium::texture;
        Bench bench(context, spec, spy.loader());
        const Sample sample = bench.sample(1);
        const GLuint output = bench.caller.load(sample).output.name;
        const auto check_free = [&] {
            for (const auto& [framebuffer, texture] : held)
                CHECK(texture != output);
        };
        bench.stepper.begin(bench.caller.arguments());
        check_free();
        while (bench.stepper.step())
            check_free();
        CHECK(bench.caller.wrong(sample) == "");
        bench.stepper.begin(bench.caller.load(sample));
        bench.stepper.step();
        check_free();
        CHECK_FALSE(held.empty());
        reset_state(gl);
        context.require_clean("framebuffers between steps");
    }
}

TEST_CASE("where the caller resets, the framebuffer that is left bound is complete", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::fragment) continue;
        for (const Way& way : ways_of(place)) {
            TestContext& context = clean_context(place.tier);
            const GladGLContext& gl = context.gl();
            const SortSpec spec = spec_for(place, way);
            INFO(describe(place) << ": " << describe(spec));
            Bench bench(context, spec, options_with(StatePolicy::caller_resets));
            const Sample sample = bench.sample(1);
            const auto check_complete = [&] {
                GLint bound = 0;
                gl.GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
                // A default framebuffer does not exist without a window.
                if (bound != 0) CHECK(gl.CheckFramebufferStatus(GL_DRAW_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
            };
            bench.sorter.sort(bench.caller.load(sample));
            check_complete();
            reset_state(gl);
            bench.stepper.begin(bench.caller.load(sample));
            while (bench.stepper.step())
                check_complete();
            reset_state(gl);
            CHECK(bench.caller.wrong(sample) == "");
            context.require_clean("complete framebuffers");
        }
    }
}

TEST_CASE("reads bind no framebuffer without attachments, and provoke no message", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        GlSpy spy(context);
        static std::size_t detachments;
        detachments = 0;
        spy.replace(
            "glFramebufferTexture2D", +[](GLenum target, GLenum attachment, GLenum kind, GLuint name, GLint level) {
                if (name == 0) ++detachments;
                GlSpy::gl().FramebufferTexture2D(target, attachment, kind, name, level);
            });
        SortSpec spec = small_spec(place.backend);
        if (writes_textures(place)) spec.input = spec.output = Medium::texture;
        INFO(describe(place) << ": " << describe(spec));
        Bench bench(context, spec, spy.loader());
        const StreamProgram program = bench.sorter.program(50);
        bench.stepper.begin(bench.caller.load(bench.sample(1)));
        detachments = 0;
        do {
            context.clear();
            for (StreamId id = 0; id < program.streams.size(); ++id)
                bench.stepper.read(id);
            for (const DebugMessage& message : context.messages()) {
                INFO(message.text);
                // A driver may report that it moves a buffer to readable memory.
                if (message.type == GL_DEBUG_TYPE_PERFORMANCE) continue;
                CHECK(message.severity == GL_DEBUG_SEVERITY_NOTIFICATION);
            }
        } while (bench.stepper.step());
        CHECK(detachments == 0);
        context.require_clean("reads");
    }
}

// Two drivers need that: docs/driver-faults.md. NVIDIA's loses the context in some states of blending. Mesa's llvmpipe
// reads old texels of textures that are not bound for drawing.
TEST_CASE("pixels are read from the framebuffer that draws go to, while no draw buffer blends", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::fragment) continue;
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        GlSpy spy(context);
        static std::size_t reads, while_blending, from_elsewhere;
        spy.replace(
            "glReadPixels", +[](GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void* to) {
                const GladGLContext& api = GlSpy::gl();
                const auto number = [&api](GLenum name) {
                    GLint value = 0;
                    api.GetIntegerv(name, &value);
                    return value;
                };
                ++reads;
                bool blending = api.IsEnabled(GL_BLEND) != GL_FALSE;
                for (GLint i = 0; api.IsEnabledi != nullptr && i < number(GL_MAX_DRAW_BUFFERS); ++i)
                    blending = blending || api.IsEnabledi(GL_BLEND, static_cast<GLuint>(i)) != GL_FALSE;
                if (blending) ++while_blending;
                if (number(GL_DRAW_FRAMEBUFFER_BINDING) != number(GL_READ_FRAMEBUFFER_BINDING)) ++from_elsewhere;
                api.ReadPixels(x, y, width, height, format, type, to);
            });
        const bool indexed = gl.Enablei != nullptr;
        const auto blend = [&] { indexed ? gl.Enablei(GL_BLEND, 1) : gl.Enable(GL_BLEND); };
        const auto blends = [&] { return indexed ? gl.IsEnabledi(GL_BLEND, 1) : gl.IsEnabled(GL_BLEND); };
        for (const Medium medium : {Medium::texture, Medium::buffer}) {
            SortSpec spec = small_spec(place.backend);
            spec.input = spec.output = medium;
            INFO(describe(place) << ": " << describe(spec));
            reads = while_blending = from_elsewhere = 0;
            Bench bench(context, spec, spy.loader());
            const Sample sample = bench.sample(1);
            const SortArguments& arguments = bench.caller.load(sample);
            const StreamProgram program = bench.sorter.program(sample.count);
            blend();
            // A sort to buffers reads pixels itself, where a device packs them.
            bench.sorter.sort(arguments);
            bench.stepper.begin(arguments);
            for (StreamId id = 0; id < program.streams.size(); ++id)
                bench.stepper.read(id);
            CHECK(reads > 0);
            CHECK(while_blending == 0);
            CHECK(from_elsewhere == 0);
            CHECK(blends() == GL_TRUE);
            gl.Disable(GL_BLEND);
            while (bench.stepper.step()) {
            }
            CHECK(bench.caller.wrong(sample) == "");
            context.require_clean("reads");
        }
    }
}

TEST_CASE("a full stack of debug groups is left as it is", "[sorter]") {
    if (!available(Tier::gl45)) return;
    TestContext& context = clean_context(Tier::gl45);
    const GladGLContext& gl = context.gl();
    for (const Backend backend : backends_of_tier(Tier::gl45)) {
        INFO(to_string(backend));
        SortSpec spec = small_spec(backend);
        SorterOptions options;
        options.debug_groups = true;
        Bench bench(context, spec, options);
        const Sample sample = bench.sample(1);
        bench.caller.load(sample);
        const auto depth = [&] {
            GLint found = 0;
            gl.GetIntegerv(GL_DEBUG_GROUP_STACK_DEPTH, &found);
            return found;
        };
        GLint most = 0;
        gl.GetIntegerv(GL_MAX_DEBUG_GROUP_STACK_DEPTH, &most);
        const GLint before = depth();
        while (depth() < most)
            gl.PushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 1, -1, "the application's");
        context.require_clean("a full stack");
        bench.sorter.sort(bench.caller.arguments());
        CHECK(depth() == most);
        context.require_clean("a sort with a full stack");
        while (depth() > before)
            gl.PopDebugGroup();
        CHECK(bench.caller.wrong(sample) == "");
        // A name that is too long is cut.
        context.limit(GL_MAX_DEBUG_MESSAGE_LENGTH, 6);
        context.clear();
        bench.sorter.sort(bench.caller.arguments());
        std::vector<std::string> groups;
        for (const DebugMessage& message : context.messages())
            if (message.type == GL_DEBUG_TYPE_PUSH_GROUP) groups.push_back(message.text);
        std::vector<std::string> expected;
        for (const Op& op : bench.sorter.program(50).ops)
            expected.push_back(describe(op).substr(0, 5));
        CHECK(groups == expected);
        CHECK(depth() == before);
        context.unlimit();
        context.require_clean("debug groups");
    }
}

TEST_CASE("a sort of nothing ends the steps", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        SortSpec spec = small_spec(place.backend);
        SorterOptions options;
        options.barrier_before = false;
        Bench bench(context, spec, options);
        bench.stepper.begin(bench.caller.load(bench.sample(1)));
        bench.stepper.step();
        bench.sorter.sort({});
        CHECK_THAT(error_of([&] { bench.stepper.step(); }), Contains("no sort has begun"));
        CHECK_THAT(error_of([&] { bench.stepper.read(0); }), Contains("no sort has begun"));
        CHECK(bench.wrong(2) == "");
        context.require_clean("a sort of nothing");
    }
}

TEST_CASE("the sorter's own texture is had without a sort", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        SortSpec spec = small_spec(place.backend);
        spec.output = Medium::texture;
        spec.own_output = true;
        Bench bench(context, spec);
        const TextureView own = bench.sorter.own_texture();
        CHECK(context.gl().IsTexture(own.name) == GL_TRUE);
        bench.stepper.begin(bench.caller.load(bench.sample(1)));
        while (bench.stepper.step()) {
        }
        const TextureView sorted = bench.sorter.sort_to_texture({});
        CHECK(own.name == sorted.name);
        CHECK(own.width == sorted.width);
        CHECK(own.height == sorted.height);
        CHECK(own.layout == sorted.layout);
        spec.own_output = false;
        const Sorter without(spec, context.get_proc_address());
        CHECK_THAT(error_of([&] { without.own_texture(); }), Contains("Sorter::own_texture") && Contains("own_output"));
        context.require_clean("the own texture");
    }
}

}  // namespace
}  // namespace glsort::test
