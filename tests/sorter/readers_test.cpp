#include <array>
#include <memory>

#include "sorter/capture.h"
#include "sorter/gl_spy.h"
#include "sorter/scenes.h"
#include "sorter/sorting.h"
#include "support/compile.h"
#include "support/random.h"

/// The readers of results, without a wait. A driver that runs all commands in order (llvmpipe) cannot show a missing
/// barrier. The tests therefore also check the barriers.

namespace glsort::test {
namespace {

const void* pointer(std::uint64_t offset) {
    return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(offset));
}

TEST_CASE("sorted indices are elements of the next draw, and attributes of its vertices", "[sorter]") {
    const Seed seed;
    constexpr std::uint32_t n = 501;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec;
        spec.backend = place.backend;
        spec.capacity = n;
        INFO(describe(place));
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(gl, sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, n, seed.value());
        const SortArguments& arguments = caller.load(sample);
        // OpenGL ES before 3.2 has no indexed draws while a transform feedback is active.
        if (tier_api(place.tier) == demo::Api::gl) {
            Capture capture(context, n, "", "result = uint(gl_VertexID);");
            gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers_of(arguments).values.name);
            sorter.sort(arguments, Readers::index);
            CHECK(difference(sample.sorted_values, capture.run([&] {
                      gl.DrawElements(GL_POINTS, n, GL_UNSIGNED_INT, pointer(buffers_of(arguments).values.offset));
                  }),
                             "elements") == "");
        }
        caller.load(sample);
        {
            Capture capture(context, n, "layout(location = 0) in uint number;\n", "result = number;");
            gl.BindBuffer(GL_ARRAY_BUFFER, buffers_of(arguments).values.name);
            gl.EnableVertexAttribArray(0);
            gl.VertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 4, pointer(buffers_of(arguments).values.offset));
            sorter.sort(arguments, Readers::vertex);
            CHECK(difference(sample.sorted_values, capture.run([&] { gl.DrawArrays(GL_POINTS, 0, n); }),
                             "attributes") == "");
        }
        context.require_clean("draws");
    }
}

TEST_CASE("sorted pairs are read from a texture", "[sorter]") {
    const Seed seed;
    constexpr std::uint32_t n = 333;
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec;
        spec.backend = place.backend;
        spec.capacity = n;
        spec.output = Medium::texture;
        spec.own_output = true;
        INFO(describe(place));
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(gl, sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, n, seed.value());
        const TextureView shape = sorter.texture_for(n);
        Capture capture(context, n, "uniform usampler2D pairs;\nuniform int width;\n",
                        "result = texelFetch(pairs, ivec2(gl_VertexID % width, gl_VertexID / "
                        "width), 0).y;");
        gl.Uniform1i(gl.GetUniformLocation(capture.program(), "pairs"), 0);
        gl.Uniform1i(gl.GetUniformLocation(capture.program(), "width"), static_cast<GLint>(shape.width));
        const TextureView sorted = sorter.sort_to_texture(caller.load(sample));
        CHECK(sorted.width == shape.width);
        gl.ActiveTexture(GL_TEXTURE0);
        gl.BindTexture(GL_TEXTURE_2D, sorted.name);
        CHECK(difference(sample.sorted_values, capture.run([&] { gl.DrawArrays(GL_POINTS, 0, n); }), "texels") == "");
        gl.BindTexture(GL_TEXTURE_2D, 0);
        context.require_clean("texture");
    }
}

TEST_CASE("a sorted buffer is read as uniforms, as a buffer texture and by copies", "[sorter]") {
    const Seed seed;
    constexpr std::uint32_t n = 256;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec;
        spec.backend = place.backend;
        spec.capacity = n;
        INFO(describe(place));
        Sorter sorter(spec, context.get_proc_address());
        Arrangement arrangement;
        arrangement.words_before_values = 0;  // A place at which a uniform buffer may begin.
        Caller caller(gl, sorter, arrangement);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, n, seed.value());
        const SortArguments& arguments = caller.load(sample);
        {
            Capture capture(context, n, "layout(std140) uniform Values { uvec4 values[64]; };\n",
                            "result = values[gl_VertexID / 4][gl_VertexID % 4];");
            gl.UniformBlockBinding(capture.program(), gl.GetUniformBlockIndex(capture.program(), "Values"), 0);
            gl.BindBufferRange(GL_UNIFORM_BUFFER, 0, buffers_of(arguments).values.name, 0, 4 * n);
            sorter.sort(arguments, Readers::uniform);
            CHECK(difference(sample.sorted_values, capture.run([&] { gl.DrawArrays(GL_POINTS, 0, n); }), "uniforms") ==
                  "");
            gl.BindBufferBase(GL_UNIFORM_BUFFER, 0, 0);
        }
        caller.load(sample);
        if (tier_api(place.tier) == demo::Api::gl) {
            Capture capture(context, n, "uniform usamplerBuffer values;\n",
                            "result = texelFetch(values, gl_VertexID).x;");
            GLuint texture = 0;
            gl.GenTextures(1, &texture);
            gl.BindTexture(GL_TEXTURE_BUFFER, texture);
            gl.TexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffers_of(arguments).values.name);
            sorter.sort(arguments, Readers::texture);
            CHECK(difference(sample.sorted_values, capture.run([&] { gl.DrawArrays(GL_POINTS, 0, n); }),
                             "buffer texture") == "");
            gl.DeleteTextures(1, &texture);
        }
        caller.load(sample);
        const CallerBuffer copy(gl, Words(n));
        sorter.sort(arguments, Readers::transfer);
        gl.BindBuffer(GL_COPY_READ_BUFFER, buffers_of(arguments).values.name);
        gl.BindBuffer(GL_COPY_WRITE_BUFFER, copy.name());
        gl.CopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER,
                             static_cast<GLintptr>(buffers_of(arguments).values.offset), 0, 4 * n);
        CHECK(difference(sample.sorted_values, copy.read(), "copy") == "");
        context.require_clean("buffers");
    }
}

TEST_CASE("a sorted buffer is read by a compute shader, and as parameters of a draw", "[sorter]") {
    const Seed seed;
    constexpr std::uint32_t n = 300;
    for (const Place& place : places_in_turn()) {
        if (place.tier != Tier::gl45 && place.tier != Tier::es31) continue;
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec;
        spec.backend = place.backend;
        spec.capacity = n;
        INFO(describe(place));
        {
            Sorter sorter(spec, context.get_proc_address());
            Arrangement arrangement;
            arrangement.words_before_values = 0;
            Caller caller(gl, sorter, arrangement);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, n, seed.value());
            const GLuint shader =
                compile(gl, GL_COMPUTE_SHADER,
                        std::string(place.tier == Tier::gl45 ? "#version 430 core\n" : "#version 310 es\n") +
                            "layout(local_size_x = 1) in;\n"
                            "layout(std430, binding = 5) readonly buffer From { uint from[]; };\n"
                            "layout(std430, binding = 6) writeonly buffer To { uint to[]; };\n"
                            "void main() { to[gl_GlobalInvocationID.x] = "
                            "from[gl_GlobalInvocationID.x]; }\n");
            const GLuint program = gl.CreateProgram();
            gl.AttachShader(program, shader);
            gl.LinkProgram(program);
            gl.DeleteShader(shader);
            const SortArguments& arguments = caller.load(sample);
            const CallerBuffer copy(gl, Words(n));
            gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, buffers_of(arguments).values.name);
            gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 6, copy.name());
            gl.UseProgram(program);
            sorter.sort(arguments, Readers::storage);
            gl.DispatchCompute(n, 1, 1);
            gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);  // Of the copy.
            CHECK(difference(sample.sorted_values, copy.read(), "storage") == "");
            gl.UseProgram(0);
            gl.DeleteProgram(program);
            gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, 0);
            gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 6, 0);
        }
        {
            // In descending order, these four words are: vertices, instances, the first vertex, 0.
            spec.payload = Payload::none();
            spec.order.direction = Direction::descending;
            Sorter sorter(spec, context.get_proc_address());
            CallerBuffer parameters(gl, {0, 64, 0, 1});
            Capture capture(context, 64, "", "result = uint(gl_VertexID);");
            gl.BindBuffer(GL_DRAW_INDIRECT_BUFFER, parameters.name());
            sorter.sort({parameters.name()}, 4, Readers::indirect);
            Words expected(64);
            std::iota(expected.begin(), expected.end(), 0u);
            // OpenGL ES 3.1 has no indirect draws while a transform feedback is active.
            if (place.tier == Tier::gl45)
                CHECK(difference(expected, capture.run([&] { gl.DrawArraysIndirect(GL_POINTS, nullptr); }),
                                 "indirect draw") == "");
            gl.BindBuffer(GL_DRAW_INDIRECT_BUFFER, 0);
            CHECK(parameters.read() == Words{64, 1, 0, 0});
        }
        context.require_clean("compute and indirect");
    }
}

/// The bits of every glMemoryBarrier, in order, while a GlSpy from `record_barriers` lives.
std::vector<GLbitfield>& barriers() {
    static std::vector<GLbitfield> bits;
    return bits;
}

void record_barriers(GlSpy& spy) {
    barriers().clear();
    spy.replace(
        "glMemoryBarrier", +[](GLbitfield bits) {
            barriers().push_back(bits);
            GlSpy::gl().MemoryBarrier(bits);
        });
}

TEST_CASE("without a barrier before it, a sort ends with one for the next", "[sorter]") {
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = clean_context(Tier::gl45);
    GlSpy spy(context);
    record_barriers(spy);
    SortSpec spec;
    // merge:multiway has several ops on all devices. The automatic choice may have one.
    spec.algorithm = "merge:multiway";
    spec.backend = Backend::compute;
    spec.capacity = 64;
    SorterOptions options;
    options.barrier_before = false;
    Sorter sorter(spec, spy.loader(), options);
    Stepper stepper(sorter);
    Caller caller(context.gl(), sorter);
    const Sample sample = make_sample(spec, demo::Distribution::uniform, 64, 1);
    const std::size_t between = sorter.program(64).ops.size() - 1;
    for (const Readers readers : {Readers::none, Readers::vertex}) {
        caller.load(sample);
        barriers().clear();
        sorter.sort(caller.arguments(), readers);
        REQUIRE(barriers().size() == between + 1);
        CHECK((barriers().back() & GL_SHADER_STORAGE_BARRIER_BIT) != 0);
    }
    // Steps may end early, and the last step taken ends with a barrier as well.
    stepper.begin(caller.arguments());
    stepper.step();
    CHECK((barriers().back() & GL_SHADER_STORAGE_BARRIER_BIT) != 0);
    barriers().clear();
    sorter.sort(caller.arguments(), Readers::none);
    CHECK(barriers().size() == between + 1);
    context.require_clean("barriers");
}

TEST_CASE("without a barrier before it, a scene ends with one for the next", "[scene]") {
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = clean_context(Tier::gl45);
    GlSpy spy(context);
    record_barriers(spy);
    SorterOptions options;
    options.barrier_before = false;
    std::mt19937_64 random(1);
    for (const bool sinks : {false, true}) {
        SceneSpec spec{.sources = {weighted(50)}, .key = KeyType::u32, .backend = Backend::compute};
        if (sinks) spec.results = {item_numbers()};
        SceneSorter sorter(spec, spy.loader(), options);
        SceneCaller caller(context.gl(), spec, {filled(50, 4, random)}, {50});
        if (sinks) caller.arguments.results = {{.target = {caller.buffer(Words(200)), 0}}};
        for (const Readers readers : {Readers::none, Readers::index}) {
            barriers().clear();
            sorter.sort(caller.arguments, readers);
            REQUIRE_FALSE(barriers().empty());
            CHECK((barriers().back() & GL_SHADER_STORAGE_BARRIER_BIT) != 0);
        }
    }
    context.require_clean("barriers of scenes");
}

TEST_CASE("the compute backend ends with the barrier that its readers need", "[sorter]") {
    struct Bits {
        Readers readers;
        GLbitfield needed;
    };
    constexpr std::array table{
        Bits{Readers::vertex, GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT},
        Bits{Readers::index, GL_ELEMENT_ARRAY_BARRIER_BIT},
        Bits{Readers::storage, GL_SHADER_STORAGE_BARRIER_BIT},
        Bits{Readers::uniform, GL_UNIFORM_BARRIER_BIT},
        Bits{Readers::texture, GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT},
        Bits{Readers::indirect, GL_COMMAND_BARRIER_BIT},
        Bits{Readers::transfer, GL_BUFFER_UPDATE_BARRIER_BIT | GL_PIXEL_BUFFER_BARRIER_BIT |
                                    GL_TEXTURE_UPDATE_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT |
                                    GL_TRANSFORM_FEEDBACK_BARRIER_BIT},
    };
    for (const Tier tier : {Tier::gl45, Tier::es31}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        GlSpy spy(context);
        record_barriers(spy);
        SortSpec spec;
        spec.backend = Backend::compute;
        spec.capacity = 64;
        Sorter sorter(spec, spy.loader());
        Stepper stepper(sorter);
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 64, 1);
        const auto barriers_of = [&](Readers readers) {
            caller.load(sample);
            barriers().clear();
            sorter.sort(caller.arguments(), readers);
            return barriers();
        };
        const std::vector<GLbitfield> none = barriers_of(Readers::none);
        // One barrier comes before the ops, for writes by the caller's shaders. One barrier comes before every op that
        // reads the output of another op: all ops but the first.
        REQUIRE(none.size() == sorter.program(64).ops.size());
        CHECK((none.front() & GL_SHADER_STORAGE_BARRIER_BIT) != 0);
        for (std::size_t i = 1; i < none.size(); ++i)
            CHECK(none[i] == GL_SHADER_STORAGE_BARRIER_BIT);
        GLbitfield all = 0;
        for (const Bits& bits : table) {
            const std::vector<GLbitfield> found = barriers_of(bits.readers);
            CAPTURE(tier_name(tier), static_cast<std::uint32_t>(bits.readers));
            REQUIRE(found.size() == none.size() + 1);
            CHECK(found.back() == bits.needed);
            all |= bits.needed;
        }
        CHECK(barriers_of(Readers::all).back() == all);
        CHECK(barriers_of(Readers::vertex | Readers::index).back() ==
              (GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_ELEMENT_ARRAY_BARRIER_BIT));
        // A step does not know its readers.
        caller.load(sample);
        stepper.begin(caller.arguments());
        while (true) {
            barriers().clear();
            if (!stepper.step()) break;
            REQUIRE(!barriers().empty());
            CHECK(barriers().back() == all);
        }
        // A sort of nothing serves readers of what the application itself has written.
        barriers().clear();
        sorter.sort({.input = caller.arguments().input, .count = 0}, Readers::vertex);
        CHECK(barriers() == std::vector<GLbitfield>{GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT});
        context.require_clean("barriers of compute");
    }
}

TEST_CASE("the fragment backend waits for shader writes before it, where there can be any", "[sorter]") {
    for (const Tier tier : all_tiers()) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        GlSpy spy(context);
        record_barriers(spy);
        SortSpec spec;
        spec.backend = Backend::fragment;
        spec.capacity = 64;
        Sorter sorter(spec, spy.loader());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 64, 1);
        caller.load(sample);
        barriers().clear();
        sorter.sort(caller.arguments());
        CAPTURE(tier_name(tier));
        if (tier == Tier::gl33 || tier == Tier::es30) {
            CHECK(barriers().empty());
        } else {
            // The caller's shaders may have written the sources of unpacks or draws, and the targets of draws or
            // captures. OpenGL orders all later commands.
            REQUIRE(barriers().size() == 1);
            for (const GLbitfield bit : {GL_PIXEL_BUFFER_BARRIER_BIT, GL_TEXTURE_FETCH_BARRIER_BIT,
                                         GL_FRAMEBUFFER_BARRIER_BIT, GL_TRANSFORM_FEEDBACK_BARRIER_BIT})
                CHECK((barriers().front() & bit) != 0);
        }
        CHECK(caller.wrong(sample) == "");
        context.require_clean("barriers of fragment");
    }
}

const GLubyte* GLAD_API_PTR forgetful_vendor(GLenum name) {
    return name == GL_VENDOR ? reinterpret_cast<const GLubyte*>("NVIDIA Corporation") : GlSpy::gl().GetString(name);
}

std::vector<GLuint>& uniform_bindings() {
    static std::vector<GLuint> names;
    return names;
}

TEST_CASE("where a driver forgets what the GPU writes, buffers are bound as uniform buffers after it", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        GlSpy spy(context);
        spy.replace("glGetString", &forgetful_vendor);
        spy.replace(
            "glBindBufferBase", +[](GLenum target, GLuint index, GLuint buffer) {
                if (target == GL_UNIFORM_BUFFER && index == 0 && buffer != 0) uniform_bindings().push_back(buffer);
                GlSpy::gl().BindBufferBase(target, index, buffer);
            });
        SortSpec spec;
        spec.algorithm = "merge:multiway";
        spec.backend = place.backend;
        spec.capacity = 64;
        Sorter sorter(spec, spy.loader());
        Stepper stepper(sorter);
        Caller caller(gl, sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 64, 1);
        const CallerBuffer own(gl, Words(64, 1));
        gl.BindBufferRange(GL_UNIFORM_BUFFER, 0, own.name(), 0, 16);
        const StateSnapshot before = take_snapshot(gl);
        const SortArguments& arguments = caller.load(sample);
        const std::vector<GLuint> both{buffers_of(arguments).keys.name, buffers_of(arguments).values.name};
        INFO(describe(place));
        uniform_bindings().clear();
        sorter.sort(arguments);
        std::vector<GLuint> found = uniform_bindings();
        found.resize(std::min<std::size_t>(found.size(), 2));  // After that, the application's own calls follow.
        CHECK(found == both);
        CHECK(diff(before, take_snapshot(gl)).empty());
        CHECK(caller.wrong(sample) == "");
        stepper.begin(caller.load(sample));
        for (bool more = true; more;) {
            uniform_bindings().clear();
            more = stepper.step();
            if (more) CHECK(uniform_bindings().size() >= 2);
            CHECK(diff(before, take_snapshot(gl)).empty());
        }
        CHECK(caller.wrong(sample) == "");
        reset_state(gl);
        context.require_clean("a forgetful driver");
    }
}

GLuint& last_uniform_binding() {
    static GLuint name = 0;
    return name;
}

std::vector<GLuint>& hasty_updates() {
    static std::vector<GLuint> names;
    return names;
}

TEST_CASE("where a driver forgets what the GPU reads, the library's own updates wait for that", "[sorter]") {
    for (const Tier tier : {Tier::gl33, Tier::es30}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        GlSpy spy(context);
        spy.replace("glGetString", &forgetful_vendor);
        spy.replace(
            "glBindBufferBase", +[](GLenum target, GLuint index, GLuint buffer) {
                if (target == GL_UNIFORM_BUFFER && index == 0 && buffer != 0) last_uniform_binding() = buffer;
                GlSpy::gl().BindBufferBase(target, index, buffer);
            });
        spy.replace(
            "glBufferSubData", +[](GLenum target, GLintptr offset, GLsizeiptr size, const void* data) {
                GLint bound = 0;
                GlSpy::gl().GetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
                const auto name = static_cast<GLuint>(bound);
                if (target != GL_ARRAY_BUFFER || last_uniform_binding() != name) hasty_updates().push_back(name);
                GlSpy::gl().BufferSubData(target, offset, size, data);
            });
        last_uniform_binding() = 0;
        hasty_updates().clear();
        SortSpec spec;
        spec.algorithm = "bitonic:step";
        spec.backend = Backend::fragment;
        spec.capacity = 3000;
        Sorter sorter(spec, spy.loader());
        Caller caller(context.gl(), sorter);
        for (const std::uint32_t count : {3000u, 17u, 2500u}) {
            const Sample sample = make_sample(spec, demo::Distribution::uniform, count, 1);
            last_uniform_binding() = 0;
            caller.load(sample);
            hasty_updates().clear();  // Calls of the test itself.
            sorter.sort(caller.arguments());
            CAPTURE(tier_name(tier), count);
            CHECK(hasty_updates().empty());
            CHECK(last_uniform_binding() != 0);
            CHECK(caller.wrong(sample) == "");
        }
        context.require_clean("updates of the library's");
    }
}

// ANGLE needs a barrier that OpenGL ES does not require (docs/driver-faults.md).
TEST_CASE("storage blocks see buffers that the fragment backend has sorted", "[sorter]") {
    const Seed seed;
    for (const Tier tier : {Tier::gl45, Tier::es31}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec;
        spec.backend = Backend::fragment;
        spec.payload = Payload::none();
        spec.capacity = 64;
        Sorter sorter(spec, context.get_proc_address());
        const std::string head = tier_api(tier) == demo::Api::gles ? "#version 310 es\n" : "#version 430 core\n";
        const GLuint program = gl.CreateProgram();
        const GLuint shader = compile(gl, GL_COMPUTE_SHADER, head + R"(
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer From { uint from[]; };
layout(std430, binding = 1) writeonly buffer To { uint to[]; };
void main() { to[gl_GlobalInvocationID.x] = from[gl_GlobalInvocationID.x]; }
)");
        gl.AttachShader(program, shader);
        gl.LinkProgram(program);
        gl.DeleteShader(shader);
        for (std::uint64_t turn = 0; turn < 4; ++turn) {
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 64, seed.value() + turn);
            const CallerBuffer keys(gl, sample.keys);
            const CallerBuffer copy(gl, Words(64));
            sorter.sort({.input = Buffers{{keys.name()}}, .count = 64}, Readers::storage);
            gl.UseProgram(program);
            gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, keys.name());
            gl.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, copy.name());
            gl.DispatchCompute(1, 1, 1);
            gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
            CHECK(copy.read() == sample.sorted_keys);
        }
        gl.DeleteProgram(program);
        reset_state(gl);
        context.require_clean("storage blocks");
    }
}

}  // namespace
}  // namespace glsort::test
