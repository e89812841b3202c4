#include <glsort/error.h>

#include <array>
#include <functional>
#include <memory>
#include <thread>

#include "sorter/gl_spy.h"
#include "sorter/sorting.h"
#include "support/random.h"

namespace glsort::test {
namespace {

/// The side effects that a misuse may have.
enum class Noise {
    none,
    debug_message,  ///< OpenGL has no query for the target of a texture, so the library binds the texture.
};

/// The message of the Error that `call` throws. The call runs in an unusual state, and must not change the state.
template <class Call>
std::string message_of(TestContext& context, const Call& call, Noise noise = Noise::none) {
    const GladGLContext& gl = context.gl();
    context.clear();
    std::string message = "(nothing thrown)";
    static std::uint64_t turn = run_seed();
    ++turn;
    const DirtyState dirty(gl, turn, {.active_transform_feedback = turn % 2 == 0});
    const StateSnapshot before = take_snapshot(gl);
    try {
        call();
    } catch (const Error& error) {
        message = error.what();
    }
    std::string changes;
    for (const std::string& line : diff(before, take_snapshot(gl)))
        changes += "\n" + line;
    CHECK(changes == "");
    CHECK(context.driver().GetError() == GL_NO_ERROR);
    if (noise == Noise::debug_message) context.clear();
    context.require_clean("misuse");
    return message;
}

/// Checks that a message contains these parts, in this order.
void check_message(const std::string& message, const std::vector<std::string>& parts) {
    INFO("message: " << message);
    std::size_t from = 0;
    for (const std::string& part : parts) {
        INFO("looked for: " << part);
        from = message.find(part, from);
        CHECK(from != std::string::npos);
        if (from == std::string::npos) return;
    }
}

void check_message(const std::string& message, const std::string& function, const std::vector<std::string>& parts) {
    INFO("message: " << message);
    CHECK(message.starts_with(function));
    check_message(message, parts);
}

std::string text_of_names(const SortArguments& arguments) {
    std::string text;
    for (const auto& [argument, name] : names_in(arguments))
        text += fmt::format("{} {} ", argument, name);
    return text;
}

/// Calls the sorter with a changed copy of valid arguments, and checks the error and the objects.
class MisuseChecker {
  public:
    MisuseChecker(const Place& place, TestContext& context, Sorter& sorter, Caller& caller, const Sample& sample)
        : place_(place), context_(context), sorter_(sorter), caller_(caller), sample_(sample) {
        caller_.load(sample_);
    }

    void check(const std::function<void(SortArguments&)>& spoil, const std::vector<std::string>& parts,
               Noise noise = Noise::none) {
        SortArguments arguments = caller_.arguments();
        spoil(arguments);
        INFO(describe(place_) << ": " << describe(sorter_.spec()) << "; names " << text_of_names(arguments));
        check_message(message_of(
                          context_, [&] { sorter_.sort(arguments); }, noise),
                      "Sorter::sort: ", parts);
        check_message(message_of(
                          context_, [&] { Stepper(sorter_).begin(arguments); }, noise),
                      "Stepper::begin: ", parts);
        CHECK(caller_.changed() == "");
        // The sorter still works.
        sorter_.sort(caller_.arguments());
        CHECK(caller_.wrong(sample_) == "");
        caller_.load(sample_);
    }

  private:
    Place place_;
    TestContext& context_;
    Sorter& sorter_;
    Caller& caller_;
    const Sample& sample_;
};

/// A texture of the test, of any kind.
class AnyTexture {
  public:
    AnyTexture(const GladGLContext& gl, GLenum target) : gl_(gl), target_(target) {
        gl_.GenTextures(1, &name_);
        gl_.BindTexture(target, name_);
    }
    ~AnyTexture() { gl_.DeleteTextures(1, &name_); }
    AnyTexture(const AnyTexture&) = delete;
    AnyTexture& operator=(const AnyTexture&) = delete;

    GLuint name() const { return name_; }
    void unbind() const { gl_.BindTexture(target_, 0); }
    /// Level 0 of a 2D texture.
    void fill(GLenum internal, GLenum format, GLenum type, std::uint32_t width, std::uint32_t height) const {
        gl_.TexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal), static_cast<GLsizei>(width),
                       static_cast<GLsizei>(height), 0, format, type, nullptr);
        unbind();
    }

  private:
    const GladGLContext& gl_;
    GLenum target_;
    GLuint name_ = 0;
};

TEST_CASE("misuse of buffers throws and changes nothing", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec;
        spec.payload = Payload::bytes(4);
        spec.backend = place.backend;
        spec.capacity = 100;
        Sorter sorter(spec, context.get_proc_address());
        Arrangement arrangement;
        arrangement.one_buffer = true;
        arrangement.words_before_values = 0;  // Adjoining ranges do not overlap.
        Caller caller(gl, sorter, arrangement);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 100, seed.value());
        MisuseChecker misuse(place, context, sorter, caller, sample);

        misuse.check([](SortArguments& a) { a.count = 101; }, {"count 101", "capacity 100"});
        misuse.check([](SortArguments& a) { a.count = 0xffffffffu; }, {"count 4294967295", "capacity 100"});
        misuse.check([](SortArguments& a) { buffers_of(a).keys.offset = 2; }, {"keys.offset 2", "multiple", "4"});
        misuse.check([](SortArguments& a) { buffers_of(a).values.offset += 1; },
                     {"values.offset 405", "multiple", "4"});
        // The buffer has 1 + 100 + 100 + 5 words.
        misuse.check([](SortArguments& a) { buffers_of(a).keys.offset = 4 * 107; },
                     {"keys", "offset 428", "400 bytes", "824"});
        misuse.check([](SortArguments& a) { buffers_of(a).values.offset = 4 * 107; },
                     {"values", "offset 428", "400 bytes", "824"});
        misuse.check([](SortArguments& a) { buffers_of(a).values.offset = 4000; }, {"values", "offset 4000", "824"});
        for (const std::uint64_t offset : {std::uint64_t{1} << 32, std::uint64_t{1} << 63, ~std::uint64_t{3}})
            misuse.check([&](SortArguments& a) { buffers_of(a).keys.offset = offset; },
                         {"keys", fmt::format("offset {}", offset), "824"});
        misuse.check([](SortArguments& a) { buffers_of(a).keys.name = 0; }, {"keys.name 0", "not a buffer"});
        misuse.check([](SortArguments& a) { buffers_of(a).values.name = 0; }, {"values.name 0", "not a buffer"});
        misuse.check([](SortArguments& a) { buffers_of(a).values = buffers_of(a).keys; },
                     {"keys and values overlap", "4 to 404", "4 to 404"});
        misuse.check([](SortArguments& a) { buffers_of(a).values.offset -= 4; }, {"overlap", "4 to 404", "400 to 800"});
        misuse.check(
            [](SortArguments& a) {
                std::swap(buffers_of(a).keys, buffers_of(a).values);
                buffers_of(a).keys.offset -= 4;
            },
            {"overlap", "400 to 800", "4 to 404"});

        GLuint unbound = 0;
        gl.GenBuffers(1, &unbound);
        misuse.check([&](SortArguments& a) { buffers_of(a).keys.name = unbound; },
                     {fmt::format("keys.name {}", unbound), "not a buffer"});
        gl.DeleteBuffers(1, &unbound);
        // Above all names in use. A check makes buffers, which may take any lower name (also the name of a texture).
        constexpr GLuint unused = 1000000;
        misuse.check([&](SortArguments& a) { buffers_of(a).values.name = unused; },
                     {fmt::format("values.name {}", unused), "not a buffer"});

        INFO(describe(place));
        check_message(message_of(context, [&] { sorter.program(101); }),
                      {"Sorter::program", "count 101", "capacity 100"});
        check_message(message_of(context, [&] { sorter.sort_to_texture(caller.arguments()); }),
                      {"Sorter::sort_to_texture", "own_output"});
        CHECK(caller.changed() == "");
        // A sort of no elements checks no objects.
        SortArguments nothing;
        CHECK(message_of(context, [&] { sorter.sort(nothing); }) == "(nothing thrown)");
    }
}

TEST_CASE("offsets and sizes are those of 64-bit keys and large values", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        if (place.tier == Tier::es30 || place.tier == Tier::es31) continue;  // The checks there are alike.
        TestContext& context = clean_context(place.tier);
        struct Case {
            std::uint32_t value_bytes, multiple;
        };
        for (const Case& c : {Case{64, 16}, Case{24, 8}, Case{12, 4}}) {
            // One tier tests all cases.
            if (c.value_bytes != 64 && place.tier != Tier::gl33) continue;
            SortSpec spec;
            spec.algorithm = "bitonic";
            spec.order.key = KeyType::f64;
            spec.payload = Payload::bytes(c.value_bytes);
            spec.backend = place.backend;
            spec.capacity = 9;
            Sorter sorter(spec, context.get_proc_address());
            Arrangement arrangement;
            arrangement.words_before_keys = arrangement.words_before_values = 0;
            Caller caller(context.gl(), sorter, arrangement);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 9, 1);
            MisuseChecker misuse(place, context, sorter, caller, sample);

            misuse.check([](SortArguments& a) { buffers_of(a).keys.offset = 4; }, {"keys.offset 4", "multiple of 8"});
            misuse.check(
                [&](SortArguments& a) { buffers_of(a).values.offset = c.multiple / 2; },
                {fmt::format("values.offset {}", c.multiple / 2), fmt::format("multiple of {} bytes", c.multiple)});
            // The buffers have 20 bytes more than the keys, and than the values.
            misuse.check([](SortArguments& a) { buffers_of(a).keys.offset = 24; },
                         {"keys", "offset 24", "72 bytes", "92"});
            misuse.check([](SortArguments& a) { buffers_of(a).values.offset = 32; },
                         {"values", "offset 32", fmt::format("{} bytes", 9 * c.value_bytes),
                          fmt::format("{}", 9 * c.value_bytes + 20)});
            misuse.check([](SortArguments& a) { buffers_of(a).keys.name = buffers_of(a).values.name; },
                         {"overlap", "0 to 72", fmt::format("0 to {}", 9 * c.value_bytes)});
        }
    }
}

TEST_CASE("values without a payload are misuse", "[sorter]") {
    TestContext& context = clean_context(Tier::gl33);
    SortSpec spec;
    spec.payload = Payload::none();
    spec.backend = Backend::fragment;
    spec.capacity = 10;
    Sorter sorter(spec, context.get_proc_address());
    Caller caller(context.gl(), sorter);
    const Sample sample = make_sample(spec, demo::Distribution::uniform, 10, 1);
    MisuseChecker misuse({Tier::gl33, Backend::fragment}, context, sorter, caller, sample);
    const CallerBuffer values(context.gl(), Words(10));
    misuse.check([&](SortArguments& a) { buffers_of(a).values.name = values.name(); },
                 {fmt::format("values.name {}", values.name()), "payload is none"});
}

TEST_CASE("misuse of textures throws and changes nothing", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        SortSpec spec;
        spec.payload = Payload::bytes(4);
        spec.backend = place.backend;
        spec.capacity = 100;
        spec.input = spec.output = Medium::texture;
        Sorter sorter(spec, context.get_proc_address());
        Arrangement arrangement;
        arrangement.input = TextureView{0, 11, 12, Layout::row_wise};
        arrangement.output = TextureView{0, 16, 9, Layout::z_order};
        Caller caller(gl, sorter, arrangement);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 100, seed.value());
        MisuseChecker misuse(place, context, sorter, caller, sample);

        misuse.check([](SortArguments& a) { a.count = 101; }, {"count 101", "capacity 100"});
        misuse.check([](SortArguments& a) { input_of(a).name = 0; }, {"input.name 0", "not a texture"});
        misuse.check([](SortArguments& a) { a.output.name = 0; }, {"output.name 0", "not a texture"});
        misuse.check([](SortArguments& a) { input_of(a).width = 0; }, {"input", "0x12"});
        misuse.check([](SortArguments& a) { a.output.height = 0; }, {"output", "16x0"});
        misuse.check([](SortArguments& a) { input_of(a).height = 9; },
                     {"input", "11x9", "100 elements", "row-wise", "11x10"});
        misuse.check([](SortArguments& a) { a.output.height = 7; }, {"output", "16x7", "100 elements", "z-order", "x"});
        misuse.check([](SortArguments& a) { a.output = input_of(a); }, {"input and output", "texture"});
        // A view whose size would suffice, but which does not match the texture.
        if (place.tier != Tier::es30) {
            misuse.check([](SortArguments& a) { input_of(a).width = 12; }, {"input", "12x12", "11x12"});
            misuse.check([](SortArguments& a) { a.output.height = 20; }, {"output", "16x20", "16x9"});
        }

        GLuint unbound = 0;
        gl.GenTextures(1, &unbound);
        misuse.check([&](SortArguments& a) { input_of(a).name = unbound; },
                     {fmt::format("input.name {}", unbound), "not a texture"});
        gl.DeleteTextures(1, &unbound);
        // Above all names in use. A check makes textures, which may take any lower name.
        constexpr GLuint unused = 1000000;
        misuse.check([](SortArguments& a) { a.output.name = unused; },
                     {fmt::format("output.name {}", unused), "not a texture"});

        for (const GLenum target : {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D}) {
            const AnyTexture texture(gl, target);
            texture.unbind();
            for (const bool input : {true, false})
                misuse.check([&](SortArguments& a) { (input ? input_of(a) : a.output).name = texture.name(); },
                             {fmt::format("{}.name {}", input ? "input" : "output", texture.name()), "GL_TEXTURE_2D"},
                             Noise::debug_message);
        }

        if (place.tier == Tier::es30) continue;  // No query for formats.
        struct Format {
            GLenum internal, format, type;
        };
        for (const Format& format :
             {Format{GL_R32F, GL_RED, GL_FLOAT}, Format{GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE},
              Format{GL_RG32I, GL_RG_INTEGER, GL_INT}, Format{GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT},
              Format{GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT}}) {
            const AnyTexture texture(gl, GL_TEXTURE_2D);
            texture.fill(format.internal, format.format, format.type, 10, 10);
            for (const bool input : {true, false})
                misuse.check(
                    [&](SortArguments& a) {
                        (input ? input_of(a) : a.output) = TextureView{texture.name(), 10, 10, Layout::row_wise};
                    },
                    {input ? "input" : "output", fmt::format("{:#06x}", format.internal), "GL_RG32UI"});
        }
    }
}

TEST_CASE("keys alone are written to one channel, pairs to two", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place) || place.tier == Tier::es30) continue;
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        for (const Payload& payload : {Payload::none(), Payload::index()}) {
            SortSpec spec;
            spec.payload = payload;
            spec.backend = place.backend;
            spec.capacity = 20;
            spec.input = spec.output = Medium::texture;
            Sorter sorter(spec, context.get_proc_address());
            Caller caller(gl, sorter);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 20, 1);
            MisuseChecker misuse(place, context, sorter, caller, sample);
            const bool pairs = payload == Payload::index();
            const AnyTexture texture(gl, GL_TEXTURE_2D);
            if (pairs)
                texture.fill(GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 10, 10);
            else
                texture.fill(GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 10, 10);
            misuse.check(
                [&](SortArguments& a) {
                    a.output = TextureView{texture.name(), 10, 10, Layout::row_wise};
                },
                {"output", pairs ? "0x8236" : "0x823c", pairs ? "GL_RG32UI" : "GL_R32UI"});
        }
    }
}

TEST_CASE("64-bit keys alone take two channels, pairs four", "[sorter]") {
    struct Format {
        GLenum internal, format;
    };
    constexpr Format one{GL_R32UI, GL_RED_INTEGER}, two{GL_RG32UI, GL_RG_INTEGER}, four{GL_RGBA32UI, GL_RGBA_INTEGER};
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place) || place.tier == Tier::es30) continue;
        TestContext& context = clean_context(place.tier);
        for (const Payload& payload : {Payload::none(), Payload::bytes(4)}) {
            SortSpec spec;
            spec.algorithm = "bitonic";
            spec.order.key = KeyType::i64;
            spec.payload = payload;
            spec.backend = place.backend;
            spec.capacity = 20;
            spec.input = spec.output = Medium::texture;
            Sorter sorter(spec, context.get_proc_address());
            Caller caller(context.gl(), sorter);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 20, 1);
            MisuseChecker misuse(place, context, sorter, caller, sample);
            const auto check = [&](bool input, const Format& wrong, const std::string& accepted) {
                const AnyTexture texture(context.gl(), GL_TEXTURE_2D);
                texture.fill(wrong.internal, wrong.format, GL_UNSIGNED_INT, 10, 10);
                misuse.check(
                    [&](SortArguments& a) {
                        (input ? input_of(a) : a.output) = TextureView{texture.name(), 10, 10, Layout::row_wise};
                    },
                    {input ? "input" : "output", fmt::format("{:#06x}", wrong.internal), "must be " + accepted});
            };
            const bool pairs = payload != Payload::none();
            check(true, one, pairs ? "GL_RGBA32UI" : "GL_RG32UI (0x823c) or GL_RGBA32UI (0x8d70)");
            check(false, one, pairs ? "GL_RGBA32UI" : "GL_RG32UI");
            if (pairs) check(true, two, "GL_RGBA32UI");
            check(false, pairs ? two : four, pairs ? "GL_RGBA32UI" : "GL_RG32UI");
        }
    }
}

TEST_CASE("steps and reads without a sort begun are misuse", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.backend = place.backend;
        spec.capacity = 16;
        INFO(describe(place));
        Sorter sorter(spec, context.get_proc_address());
        Stepper stepper(sorter);
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 16, seed.value());
        const auto check_refused = [&] {
            check_message(message_of(context, [&] { stepper.step(); }), {"Stepper::step", "begun"});
            check_message(message_of(context, [&] { stepper.read(0); }), {"Stepper::read", "begun"});
        };
        check_refused();
        stepper.begin(caller.load(sample));
        const std::size_t streams = sorter.program(16).streams.size();
        check_message(message_of(context, [&] { stepper.read(streams); }),
                      {"Stepper::read", fmt::format("stream {} of {}", streams, streams)});
        stepper.step();
        sorter.sort(caller.load(sample));  // Ends the steps.
        CHECK(caller.wrong(sample) == "");
        check_refused();
    }
}

/// Lets the spy watch all objects that a sorter makes.
void watch_objects(GlSpy& spy) {
    spy.track<&GladGLContext::GenBuffers, &GladGLContext::DeleteBuffers>("Buffers");
    spy.track<&GladGLContext::GenTextures, &GladGLContext::DeleteTextures>("Textures");
    spy.track<&GladGLContext::GenSamplers, &GladGLContext::DeleteSamplers>("Samplers");
    spy.track<&GladGLContext::GenFramebuffers, &GladGLContext::DeleteFramebuffers>("Framebuffers");
    spy.track<&GladGLContext::GenVertexArrays, &GladGLContext::DeleteVertexArrays>("VertexArrays");
    spy.count<&GladGLContext::CreateProgram>("glCreateProgram");
    spy.count<&GladGLContext::DeleteProgram>("glDeleteProgram");
    spy.count<&GladGLContext::CreateShader>("glCreateShader");
    spy.count<&GladGLContext::DeleteShader>("glDeleteShader");
}

/// Checks that all objects are gone that were made since `watch_objects`.
void check_no_objects(const GlSpy& spy) {
    CHECK(spy.all_alive() == 0);
    CHECK(spy.calls("glCreateProgram") == spy.calls("glDeleteProgram"));
    CHECK(spy.calls("glCreateShader") == spy.calls("glDeleteShader"));
}

/// Checks that the constructor throws.
void check_refused(TestContext& context, const SortSpec& spec, GetProcAddress get_proc_address,
                   const std::vector<std::string>& parts) {
    check_message(message_of(context, [&] { Sorter(spec, get_proc_address); }), parts);
}

/// Checks that the constructor throws, and leaves no objects behind.
void check_refused(TestContext& context, const SortSpec& spec, const std::vector<std::string>& parts) {
    GlSpy spy(context);
    watch_objects(spy);
    check_refused(context, spec, spy.loader(), parts);
    check_no_objects(spy);
}

TEST_CASE("specifications that cannot be are refused at construction", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        const auto check = [&](const std::function<void(SortSpec&)>& spoil, const std::vector<std::string>& parts) {
            SortSpec spec;
            spec.backend = place.backend;
            spec.capacity = 64;
            spoil(spec);
            check_refused(context, spec, parts);
        };
        check([](SortSpec& s) { s.capacity = 0; }, {"Sorter::Sorter", "capacity 0", "1"});
        check([](SortSpec& s) { s.backend = Backend::cpu; }, {"Sorter::Sorter", "backend cpu", "CpuSorter"});
        check([](SortSpec& s) { s.payload = Payload::bytes(10); },
              {"Sorter::Sorter", "payload", "10 bytes", "multiple of 4"});
        if (writes_textures(place))
            for (const Medium input : {Medium::buffer, Medium::texture})
                check(
                    [&](SortSpec& s) {
                        s.payload = Payload::bytes(12);
                        s.input = input;
                        s.output = Medium::texture;
                    },
                    {"Sorter::Sorter", "payload of 12 bytes", "not supported in textures"});
        check([](SortSpec& s) { s.algorithm = "quick"; }, {"Sorter::Sorter", "algorithm 'quick'", "bitonic:step"});
        check([](SortSpec& s) { s.algorithm = "bitonic:leap"; },
              {"Sorter::Sorter", "algorithm 'bitonic:leap'", "bitonic:step"});
        check(
            [](SortSpec& s) {
                s.tuning.networks.tile = 16;
                s.algorithm = "bitonic:step";
            },
            {"Sorter::Sorter", "tuning.networks.tile 16", "bitonic:step does not read it"});
        if (place.backend == Backend::compute)
            check(
                [](SortSpec& s) {
                    s.tuning.networks.tile = 12;
                    s.algorithm = "bitonic:local";
                },
                {"Sorter::Sorter", "a tile of 12 elements", "power of two, at least 4"});
        check([](SortSpec& s) { s.own_output = true; }, {"Sorter::Sorter", "own_output", "texture"});
        check([](SortSpec& s) { s.input = Medium::texture; }, {"Sorter::Sorter", "texture to buffers"});
        check_refused(context, SortSpec{.capacity = 1}, nullptr, {"Sorter::Sorter", "get_proc_address", "null"});
        check_message(message_of(context, [] { describe_context(nullptr); }),
                      {"describe_context", "get_proc_address", "null"});
    }
}

TEST_CASE("the compute backend is refused where the context lacks what it needs", "[sorter]") {
    const auto refuse = [](Tier tier, const SortSpec& spec, const std::vector<std::string>& parts) {
        if (!available(tier)) return;
        INFO(tier_name(tier));
        TestContext& context = clean_context(tier);
        check_refused(context, spec, parts);
    };
    SortSpec spec;
    spec.backend = Backend::compute;
    spec.capacity = 8;
    refuse(Tier::gl33, spec, {"Sorter::Sorter", "compute", "OpenGL 4.3", "OpenGL 3.3"});
    refuse(Tier::es30, spec, {"Sorter::Sorter", "compute", "OpenGL ES 3.1", "OpenGL ES 3.0"});
    SortSpec texture = spec;
    texture.output = Medium::texture;
    refuse(Tier::es31, texture, {"Sorter::Sorter", "compute", "OpenGL ES"});
    for (const Tier tier : {Tier::gl45, Tier::es31}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        context.limit(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS, 3);
        check_refused(context, spec,
                      {"Sorter::Sorter", "compute", tier == Tier::es31 ? "4 storage blocks" : "5 storage blocks", "3"});
        const ContextReport report = describe_context(context.get_proc_address());
        CHECK(report.automatic == Backend::fragment);
        context.unlimit();
    }
}

/// Bytes of the largest buffer that a sorter allocates.
std::uint64_t largest_scratch_buffer(const Sorter& sorter) {
    std::uint64_t largest = 0;
    for (const Stream& stream : sorter.program(sorter.spec().capacity).streams)
        if (stream.role == StreamRole::scratch && stream.medium == Medium::buffer)
            largest = std::max(largest, stream.buffer_bytes());
    return largest;
}

TEST_CASE("a capacity that the device cannot hold is refused, and the limit named", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.backend = place.backend;
        INFO(describe(place));
        spec.capacity = 64 * 64 + 1;
        std::uint32_t fitting = 64 * 64;
        if (place.backend == Backend::fragment) {
            context.limit(GL_MAX_TEXTURE_SIZE, 64);
            check_refused(context, spec, {"Sorter::Sorter", "capacity 4097", "limit", "64"});
            spec.layout = Layout::z_order;
            check_refused(context, spec, {"Sorter::Sorter", "capacity 4097", "limit", "64"});
        } else {
            // The largest buffer of the sorter. The automatic choice and its memory depend on the device.
            const std::uint64_t largest = largest_scratch_buffer(Sorter(spec, context.get_proc_address()));
            REQUIRE(largest >= 8 * spec.capacity);  // Pairs of eight bytes.
            context.limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, static_cast<GLint>(largest - 1));
            check_refused(context, spec,
                          {"Sorter::Sorter", "capacity 4097", fmt::format("{} bytes", largest), "limit",
                           fmt::format("{}", largest - 1)});
            context.limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, static_cast<GLint>(largest));
            fitting = spec.capacity;
        }
        // A sort within the limits works.
        for (const Layout layout : {Layout::row_wise, Layout::z_order}) {
            SortSpec fits = spec;
            fits.capacity = fitting;
            fits.layout = layout;
            Sorter sorter(fits, context.get_proc_address());
            Caller caller(context.gl(), sorter);
            const Sample sample = make_sample(fits, demo::Distribution::uniform, fitting, 1);
            sorter.sort(caller.load(sample));
            CHECK(caller.wrong(sample) == "");
        }
        context.unlimit();
        // The sorter's own texture has one element per texel. Scratch may have other records.
        if (writes_textures(place)) {
            context.limit(GL_MAX_TEXTURE_SIZE, 64);
            SortSpec own = spec;
            own.input = own.output = Medium::texture;
            own.own_output = true;
            for (const Layout layout : {Layout::row_wise, Layout::z_order}) {
                own.layout = layout;
                check_refused(context, own, {"Sorter::Sorter", "capacity 4097", "limit", "64"});
            }
        }
        spec.capacity = 0xffffffffu;
        for (const Payload payload : {spec.payload, Payload::none()}) {
            spec.payload = payload;
            check_refused(context, spec, {"Sorter::Sorter", "4294967295", "limit"});
        }
    }
}

TEST_CASE("with the least limits that a version guarantees, everything is sorted", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        context.limit_to_minimum();
        SortSpec spec;
        spec.payload = Payload::bytes(4);
        spec.backend = place.backend;
        spec.capacity = 2500;
        INFO(describe(place));
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 2500, seed.value());
        sorter.sort(caller.load(sample));
        CHECK(caller.wrong(sample) == "");
        context.require_clean("least limits");
        context.unlimit();
    }
}

TEST_CASE("a buffer that no storage block contains is refused", "[sorter]") {
    const Seed seed;
    for (const Tier tier : {Tier::gl45, Tier::es31}) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        context.limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, 1 << 14);
        SortSpec spec;
        spec.payload = Payload::none();
        spec.algorithm = "merge";
        spec.backend = Backend::compute;
        spec.capacity = 1 << 12;
        Sorter sorter(spec, context.get_proc_address());
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 1 << 12, seed.value());
        for (const std::uint32_t before : {0u, 1u}) {
            Arrangement arrangement;
            arrangement.words_before_keys = before;
            Caller caller(context.gl(), sorter, arrangement);
            const SortArguments& arguments = caller.load(sample);
            if (before == 0) {
                sorter.sort(arguments);
                CHECK(caller.wrong(sample) == "");
            } else {
                check_message(message_of(context, [&] { sorter.sort(arguments); }),
                              {"keys", "offset 4", "16388 bytes", "16384 (storage_bytes)"});
                CHECK(caller.changed() == "");
            }
        }
        context.unlimit();
        context.require_clean("storage blocks");
    }
}

TEST_CASE("a context that is too old, or none, is refused", "[sorter]") {
    TestContext& context = clean_context(Tier::gl33);
    {
        GlSpy spy(context);
        spy.replace(
            "glGetString", +[](GLenum name) {
                return name == GL_VERSION ? reinterpret_cast<const GLubyte*>("3.2 (Core Profile) Old")
                                          : GlSpy::gl().GetString(name);
            });
        check_refused(context, {.capacity = 1}, spy.loader(),
                      {"Sorter::Sorter", "3.2 (Core Profile) Old", "OpenGL 3.3", "OpenGL ES 3.0"});
        check_message(message_of(context, [&] { describe_context(spy.loader()); }),
                      {"describe_context", "3.2 (Core Profile) Old", "OpenGL 3.3"});
    }
    if (available(Tier::es30)) {
        TestContext& es = clean_context(Tier::es30);
        GlSpy spy(es);
        spy.replace(
            "glGetString", +[](GLenum name) {
                return name == GL_VERSION ? reinterpret_cast<const GLubyte*>("OpenGL ES 2.0 Old")
                                          : GlSpy::gl().GetString(name);
            });
        check_refused(es, {.capacity = 1}, spy.loader(),
                      {"Sorter::Sorter", "OpenGL ES 2.0 Old", "OpenGL 3.3", "OpenGL ES 3.0"});
    }
    context.make_current();
    // A new thread has no current context.
    std::string first;
    std::string second;
    std::thread([&] {
        const auto message = [](const auto& call) {
            try {
                call();
            } catch (const Error& error) {
                return std::string(error.what());
            }
            return std::string("(nothing thrown)");
        };
        const GetProcAddress load = demo::HeadlessContext::get_proc_address();
        first = message([&] { Sorter({.capacity = 1}, load); });
        second = message([&] { describe_context(load); });
    }).join();
    check_message(first, {"Sorter::Sorter", "no OpenGL context is current"});
    check_message(second, {"describe_context", "no OpenGL context is current"});
    context.require_clean("too old");
}

/// Makes a sorter while OpenGL fails in some way. Then makes a sorter without the failure.
void check_failure(const Place& place, const std::function<void(GlSpy&)>& spoil,
                   const std::vector<std::string>& parts) {
    TestContext& context = clean_context(place.tier);
    INFO(describe(place));
    SortSpec spec;
    spec.backend = place.backend;
    spec.capacity = 50;
    {
        GlSpy spy(context);
        watch_objects(spy);
        spoil(spy);
        check_refused(context, spec, spy.loader(), parts);
        check_no_objects(spy);
    }
    Sorter sorter(spec, context.get_proc_address());
    Caller caller(context.gl(), sorter);
    const Sample sample = make_sample(spec, demo::Distribution::uniform, 50, 1);
    sorter.sort(caller.load(sample));
    CHECK(caller.wrong(sample) == "");
    context.require_clean("after a failure");
}

TEST_CASE("a failure of OpenGL's at construction throws, and leaves nothing behind", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        // Out of memory. An object that was not allocated must not be used, either.
        check_failure(place,
                      [](GlSpy& spy) {
                          // From the second call on, because no error is pending before.
                          static int looks;
                          looks = 0;
                          spy.replace(
                              "glGetError",
                              +[] { return ++looks == 1 ? GLenum{GL_NO_ERROR} : GLenum{GL_OUT_OF_MEMORY}; });
                      },
                      {"Sorter", "the device cannot hold", "bytes"});
        check_failure(place,
                      [](GlSpy& spy) {
                          spy.replace(
                              "glGetShaderiv", +[](GLuint shader, GLenum name, GLint* value) {
                                  GlSpy::gl().GetShaderiv(shader, name, value);
                                  if (name == GL_COMPILE_STATUS) *value = GL_FALSE;
                              });
                      },
                      {"does not compile", "#version"});
        check_failure(place,
                      [](GlSpy& spy) {
                          spy.replace(
                              "glGetProgramiv", +[](GLuint program, GLenum name, GLint* value) {
                                  GlSpy::gl().GetProgramiv(program, name, value);
                                  if (name == GL_LINK_STATUS) *value = GL_FALSE;
                              });
                      },
                      {"does not link"});
        if (place.backend == Backend::fragment)
            check_failure(place,
                          [](GlSpy& spy) {
                              spy.replace(
                                  "glCheckFramebufferStatus",
                                  +[](GLenum) { return GLenum{GL_FRAMEBUFFER_UNSUPPORTED}; });
                          },
                          {"Sorter", "framebuffer", "1"});
    }
}

}  // namespace
}  // namespace glsort::test
