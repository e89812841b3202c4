#include <glsort/planner.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "sorter/between_calls.h"
#include "sorter/gl_spy.h"
#include "support/fewer_modes.h"
#include "support/hostile_state.h"
#include "support/random.h"

namespace glsort::test {
namespace {

using Catch::Contains;
using trial::DirtyState;

SortSpec counted_spec(Backend backend, const std::string& algorithm, std::uint32_t capacity) {
    SortSpec spec;
    spec.algorithm = algorithm;
    spec.capacity = capacity;
    spec.backend = backend;
    spec.gpu_count = true;
    return spec;
}

std::vector<std::string> counted_algorithms() {
    std::vector<std::string> names{"automatic"};
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            if (variant.takes.gpu_count) names.push_back(algorithm.name + ":" + variant.name);
    return names;
}

bool takes_bits(const std::string& algorithm) {
    const AlgorithmChoice choice = choose_algorithm(algorithm);
    for (const Algorithm& known : algorithms())
        for (const Algorithm::Variant& variant : known.variants)
            if (known.name == choice.name && variant.name == choice.variant) return variant.takes.bits;
    return false;
}

/// The caller's count of a sorter: in a buffer between unrelated words, or in the first texel of a texture.
class CallerCount {
  public:
    CallerCount(const GladGLContext& gl, const SortSpec& spec, std::size_t place)
        : buffer_(gl, random_words(21, place + 9)),
          texture_(gl, {0, static_cast<std::uint32_t>(1 + place), 2}, channels_of(place),
                   random_words(22, 2 * (1 + place) * channels_of(place))),
          place_(place),
          in_texture_(spec.gpu_count_medium == Medium::texture) {}

    /// Uploads the count, and names its place in `arguments`.
    void set(SortArguments& arguments, std::uint32_t count) {
        arguments.count = 0;
        if (in_texture_) {
            texture_.expected[0] = count;
            texture_.upload();
            arguments.gpu_count_texture = texture_.view();
        } else {
            buffer_.expected[place_] = count;
            buffer_.upload();
            arguments.gpu_count = {buffer_.name(), 4 * place_};
        }
    }
    std::string changed() const {
        return in_texture_ ? difference(texture_.expected, texture_.read(), "the texture of the count")
                           : difference(buffer_.expected, buffer_.read(), "the buffer of the count");
    }

  private:
    static std::uint32_t channels_of(std::size_t place) { return 1u << place % 3; }

    CallerBuffer buffer_;
    CallerTexture texture_;
    std::size_t place_;
    bool in_texture_;
};

/// A buffer or a texture.
Medium any_medium(std::mt19937_64& random) {
    return random() % 2 == 0 ? Medium::buffer : Medium::texture;
}

Words status_of(const GladGLContext& gl, const Sorter& sorter) {
    Words words(4);
    gl.BindBuffer(GL_COPY_READ_BUFFER, sorter.status().name);
    const void* mapped =
        gl.MapBufferRange(GL_COPY_READ_BUFFER, static_cast<GLintptr>(sorter.status().offset), 16, GL_MAP_READ_BIT);
    REQUIRE(mapped != nullptr);
    std::copy_n(static_cast<const std::uint32_t*>(mapped), 4, words.begin());
    gl.UnmapBuffer(GL_COPY_READ_BUFFER);
    gl.BindBuffer(GL_COPY_READ_BUFFER, 0);
    return words;
}

/// Sorts `sample`, whose count only the GPU knows, and describes the first error. `given`: the caller's count.
std::string wrong_after(TestContext& context, Sorter& sorter, Caller& caller, CallerCount& count, const Sample& sample,
                        std::uint32_t given) {
    SortArguments arguments = caller.load(sample);
    count.set(arguments, given);
    if (sorter.spec().own_output)
        sorter.sort_to_texture(arguments);
    else
        sorter.sort(arguments);
    if (std::string text = caller.wrong(sample, own_texture_of(sorter)); !text.empty()) return text;
    if (std::string text = count.changed(); !text.empty()) return text;
    const Words status = status_of(context.gl(), sorter);
    const Words expected{sample.count, given > sorter.spec().capacity ? 1u : 0u, 0, 0};
    return status == expected ? "" : fmt::format("the status is {} {}", status[0], status[1]);
}

TEST_CASE("every algorithm that takes a count on the GPU sorts as many elements as that says", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const Limits limits = describe_context(context.get_proc_address()).limits;
        for (const std::string& algorithm : counted_algorithms())
            for (const std::uint32_t capacity : {1u, 2u, 31u, 64u, 700u, 9000u}) {
                if (fewer_modes && random() % 2 == 0) continue;
                SortSpec spec = counted_spec(place.backend, algorithm, capacity);
                spec.payload = random() % 2 == 0 ? Payload::index() : Payload::bytes(4 * (1 + random() % 3));
                spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
                spec.gpu_count_medium = any_medium(random);
                if (takes_bits(algorithm) && random() % 3 == 0)
                    spec.order.bits = {0, 1 + static_cast<std::uint32_t>(random() % 31)};
                if (algorithm != "automatic" && !runs_on(limits, spec)) continue;
                INFO(describe(place) << ": " << algorithm << ", capacity " << capacity);
                Sorter sorter(spec, context.get_proc_address());
                Caller caller(context.gl(), sorter);
                CallerCount given(context.gl(), spec, random() % 5);
                std::vector<std::uint32_t> counts{capacity, 0, 1, capacity / 2, capacity - 1, capacity};
                for (int i = 0; i < 3; ++i)
                    counts.push_back(static_cast<std::uint32_t>(random() % (capacity + 1)));
                for (const std::uint32_t count : counts) {
                    INFO(describe(place) << ": " << describe(sorter.spec()) << ", count " << count);
                    const Sample sample = make_sample(spec, demo::Distribution::uniform, count, random());
                    CHECK(wrong_after(context, sorter, caller, given, sample, count) == "");
                }
                // Above the capacity.
                for (const std::uint32_t count : {capacity + 1, 0xffffffffu}) {
                    INFO(describe(place) << ": " << describe(sorter.spec()) << ", count " << count);
                    const Sample sample = make_sample(spec, demo::Distribution::uniform, capacity, random());
                    CHECK(wrong_after(context, sorter, caller, given, sample, count) == "");
                }
            }
        context.require_clean("counts on the GPU");
    }
}

TEST_CASE("a count on the GPU goes with a texture of the sorter's own", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        if (!writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        SortSpec spec = counted_spec(place.backend, "automatic", 300);
        spec.payload = Payload::bytes(4);
        spec.output = Medium::texture;
        spec.own_output = true;
        INFO(describe(place));
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        CallerCount given(context.gl(), spec, 1);
        for (const std::uint32_t count : {5u, 300u, 301u, 0u, 299u}) {
            INFO("count " << count);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, std::min(count, 300u), random());
            CHECK(wrong_after(context, sorter, caller, given, sample, count) == "");
        }
        context.require_clean("counts on the GPU and the own texture");
    }
}

TEST_CASE("a count on the GPU goes with ops in pieces", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    struct Case {
        std::uint32_t limit;
        std::uint32_t capacity;
    };
    const std::vector<Case> cases{{1, 130}, {7, 300}, {256, 2000}, {1000, 9000}, {4096, 9000}};
    std::size_t turn = random() % cases.size();
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const Limits limits = describe_context(context.get_proc_address()).limits;
        for (const std::string& algorithm : counted_algorithms()) {
            const auto [limit, capacity] = cases[++turn % cases.size()];
            SortSpec spec = counted_spec(place.backend, algorithm, capacity);
            spec.payload = random() % 2 == 0 ? Payload::index() : Payload::bytes(8);
            spec.gpu_count_medium = any_medium(random);
            if (algorithm != "automatic" && !runs_on(limits, spec)) continue;
            INFO(describe(place) << ": " << algorithm << ", capacity " << capacity);
            SorterOptions options;
            options.max_elements_per_draw = limit;
            Sorter sorter(spec, context.get_proc_address(), options);
            Caller caller(context.gl(), sorter);
            CallerCount given(context.gl(), spec, random() % 5);
            for (const std::uint32_t count :
                 {capacity, 0u, 1u, limit, limit + 1, capacity / 2, capacity - 1, capacity + 1}) {
                INFO(describe(place) << ": " << describe(sorter.spec()) << ", count " << count << ", limit " << limit);
                const Sample sample =
                    make_sample(spec, demo::Distribution::uniform, std::min(count, capacity), random());
                CHECK(wrong_after(context, sorter, caller, given, sample, count) == "");
            }
        }
        context.require_clean("counts on the GPU in pieces");
    }
}

TEST_CASE("a count on the GPU goes with every key, into textures, and in scratch memory of others", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const auto scratch = std::make_shared<Scratch>(context.get_proc_address());
        for (const KeyType key : every_key_type)
            for (const bool texture : {false, true}) {
                if (texture && place.backend == Backend::compute && place.tier == Tier::es31) continue;
                SortSpec spec = counted_spec(place.backend, "automatic", 3000);
                spec.order.key = key;
                spec.output = texture ? Medium::texture : Medium::buffer;
                spec.gpu_count_medium = any_medium(random);
                SorterOptions options;
                if (random() % 2 == 0) options.shared_scratch = scratch;
                options.state = random() % 2 == 0 ? StatePolicy::restore : StatePolicy::caller_resets;
                Sorter sorter(spec, context.get_proc_address(), options);
                Caller caller(context.gl(), sorter);
                CallerCount given(context.gl(), spec, 3);
                for (const std::uint32_t count : {3000u, 2999u, 1u, 0u, 1234u}) {
                    INFO(describe(place) << ": " << describe(sorter.spec()) << ", count " << count);
                    const Sample sample = make_sample(spec, demo::Distribution::special, count, random());
                    CHECK(wrong_after(context, sorter, caller, given, sample, count) == "");
                    if (options.state == StatePolicy::caller_resets) trial::reset_state(context.gl());
                }
            }
        context.require_clean("counts on the GPU");
    }
}

TEST_CASE("a count on the GPU goes with viewports that are hardly larger than textures", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::fragment) continue;
        TestContext& context = clean_context(place.tier);
        GlSpy spy(context);
        spy.replace(
            "glGetIntegerv", +[](GLenum name, GLint* value) {
                GlSpy::gl().GetIntegerv(name, value);
                if (name == GL_MAX_VIEWPORT_DIMS) value[0] = value[1] = 64;
            });
        // Textures of 64 x 64 texels for elements, and smaller ones for records.
        const SortSpec spec = counted_spec(place.backend, "automatic", 4096);
        Sorter sorter(spec, spy.loader());
        Caller caller(context.gl(), sorter);
        CallerCount given(context.gl(), spec, 1);
        for (const std::uint32_t count : {4096u, 0u, 1u, 63u, 64u, 65u, static_cast<std::uint32_t>(random() % 4096)}) {
            INFO(describe(place) << ": " << describe(sorter.spec()) << ", count " << count);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, count, random());
            CHECK(wrong_after(context, sorter, caller, given, sample, count) == "");
        }
        context.require_clean("small viewports");
    }
}

TEST_CASE("a count on the GPU goes with textures of any shape", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        if (place.backend == Backend::compute && place.tier == Tier::es31) continue;
        TestContext& context = clean_context(place.tier);
        for (const char* algorithm : {"merge", "bitonic:step"}) {
            SortSpec spec = counted_spec(place.backend, algorithm, 2000);
            spec.input = spec.output = Medium::texture;
            spec.gpu_count_medium = any_medium(random);
            Sorter sorter(spec, context.get_proc_address());
            for (int turn = 0; turn < 4; ++turn) {
                const auto width = static_cast<std::uint32_t>(1 + random() % 120);
                const TextureView rows{0, width, 2000 / width + 1, Layout::row_wise};
                const TextureView square{0, 64, 32, Layout::z_order};
                const bool any = place.backend == Backend::compute;
                Arrangement arrangement;
                arrangement.input = random() % 2 == 0 ? rows : square;
                arrangement.output = any && random() % 2 == 0 ? square : rows;
                Caller caller(context.gl(), sorter, arrangement);
                CallerCount given(context.gl(), spec, 2);
                for (const std::uint32_t count : {static_cast<std::uint32_t>(random() % 2001), width, 2000u}) {
                    INFO(describe(place) << ": " << describe(sorter.spec()) << ", width " << width << ", count "
                                         << count);
                    const Sample sample = make_sample(spec, demo::Distribution::uniform, count, random());
                    CHECK(wrong_after(context, sorter, caller, given, sample, count) == "");
                }
            }
            if (place.backend == Backend::compute) continue;
            Arrangement arrangement;
            arrangement.output = TextureView{0, 64, 32, Layout::z_order};
            Caller caller(context.gl(), sorter, arrangement);
            CallerCount given(context.gl(), spec, 2);
            SortArguments arguments = caller.load(make_sample(spec, demo::Distribution::uniform, 10, 1));
            given.set(arguments, 10);
            CHECK_THAT(error_of([&] { sorter.sort(arguments); }),
                       Contains("Sorter::sort: output.layout is z-order; with gpu_count on the fragment backend"));
            CHECK(caller.changed() == "");
        }
        context.require_clean("counts on the GPU and textures");
    }
}

TEST_CASE("a sort by a count on the GPU leaves the state of the context as it was", "[sorter]") {
    const Seed seed;
    for (const Place& place : places_in_turn())
        for (const Medium medium : {Medium::buffer, Medium::texture}) {
            TestContext& context = clean_context(place.tier);
            SortSpec spec = counted_spec(place.backend, "automatic", 5000);
            spec.gpu_count_medium = medium;
            Sorter sorter(spec, context.get_proc_address());
            Caller caller(context.gl(), sorter);
            CallerCount given(context.gl(), spec, 1);
            for (std::uint64_t turn = 0; turn < 4; ++turn) {
                const auto count = static_cast<std::uint32_t>(1000 * turn + 7);
                const Sample sample = make_sample(spec, demo::Distribution::uniform, count, seed.value() + turn);
                SortArguments arguments = caller.load(sample);
                given.set(arguments, count);
                {
                    const DirtyState dirty(context.gl(), seed.value() + turn);
                    const StateSnapshot before = take_snapshot(context.gl());
                    sorter.sort(arguments);
                    CHECK(diff(before, take_snapshot(context.gl())).empty());
                }
                CHECK(caller.wrong(sample) == "");
            }
            context.require_clean("the state around counts on the GPU");
        }
}

TEST_CASE("a count on the GPU lies in a texel of integers of any size", "[sorter]") {
    struct Format {
        GLint internal;
        GLenum format;
        GLenum type;
    };
    for (const Place& place : places_in_turn())
        for (const auto& [internal, format, type] : {Format{GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE},
                                                     {GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT},
                                                     {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT}}) {
            TestContext& context = clean_context(place.tier);
            INFO(describe(place) << ", internal format " << internal);
            SortSpec spec = counted_spec(place.backend, "merge", 300);
            spec.gpu_count_medium = Medium::texture;
            Sorter sorter(spec, context.get_proc_address());
            Caller caller(context.gl(), sorter);
            const Sample sample = make_sample(spec, demo::Distribution::uniform, 123, 5);
            SortArguments arguments = caller.load(sample);
            arguments.count = 0;
            // The type of a component has its lowest byte first.
            const Words words{123, 0, 0, 0};
            GLuint texture = 0;
            context.gl().GenTextures(1, &texture);
            context.gl().BindTexture(GL_TEXTURE_2D, texture);
            context.gl().TexImage2D(GL_TEXTURE_2D, 0, internal, 1, 1, 0, format, type, words.data());
            arguments.gpu_count_texture = {texture, 1, 1};
            sorter.sort(arguments);
            CHECK(caller.wrong(sample) == "");
            CHECK(status_of(context.gl(), sorter) == Words{123, 0, 0, 0});
            context.gl().DeleteTextures(1, &texture);
            context.require_clean("counts in texels");
        }
}

TEST_CASE("a sort by a count on the GPU is stepped", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SortSpec spec = counted_spec(place.backend, "merge", 300);
        spec.gpu_count_medium = GENERATE(Medium::buffer, Medium::texture);
        Sorter sorter(spec, context.get_proc_address());
        Stepper stepper(sorter);
        Caller caller(context.gl(), sorter);
        CallerCount given(context.gl(), spec, 0);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 123, 5);
        SortArguments arguments = caller.load(sample);
        given.set(arguments, 123);
        stepper.begin(arguments);
        CHECK(status_of(context.gl(), sorter) == Words{123, 0, 0, 0});
        // A count in a buffer is that of `begin`. Fragments read a texel again in each step.
        if (spec.gpu_count_medium == Medium::buffer) given.set(arguments, 7);
        while (stepper.step())
            CHECK(stepper.read(0).size() >= 300);
        INFO(describe(place) << (spec.gpu_count_medium == Medium::buffer ? ", buffer" : ", texture"));
        CHECK(stepper.steps_done() == sorter.program(300).ops.size());
        CHECK(caller.wrong(sample) == "");
        context.require_clean("steps by a count on the GPU");
    }
}

// ANGLE lets the first of two captures end last, if a framebuffer is cleared between them (docs/driver-faults.md).
TEST_CASE("the status of a count on the GPU is that of the last call, if the call before was not stepped", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const GladGLContext& gl = context.gl();
        const SortSpec spec = counted_spec(place.backend, "merge", 100);
        Sorter sorter(spec, context.get_proc_address());
        Stepper stepper(sorter);
        Caller caller(gl, sorter);
        CallerCount given(gl, spec, 0);
        const CallerTexture target(gl, {0, 16, 16}, 4, Words(std::size_t{4} * 16 * 16));
        GLuint framebuffer = 0;
        gl.GenFramebuffers(1, &framebuffer);
        gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.view().name, 0);
        SortArguments arguments = caller.load(make_sample(spec, demo::Distribution::uniform, 100, 5));
        int old = 0;
        for (std::uint32_t turn = 0; turn < 40; ++turn) {
            given.set(arguments, 99 - turn);
            stepper.begin(arguments);
            const std::array<GLuint, 4> colour{turn, 0, 0, 0};
            gl.ClearBufferuiv(GL_COLOR, 0, colour.data());
            given.set(arguments, turn);
            stepper.begin(arguments);
            // No step ends with a barrier for those who read the status.
            if (place.backend == Backend::compute) gl.MemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
            old += status_of(gl, sorter) == Words{turn, 0, 0, 0} ? 0 : 1;
        }
        INFO(describe(place));
        CHECK(old == 0);
        gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
        gl.DeleteFramebuffers(1, &framebuffer);
        context.require_clean("calls that were not stepped");
    }
}

TEST_CASE("a count on the GPU that cannot be is refused", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const auto message_for = [&](const auto& change) {
            SortSpec spec = counted_spec(place.backend, "automatic", 100);
            change(spec);
            return error_of([&] { Sorter(spec, context.get_proc_address()); });
        };
        if (place.backend == Backend::fragment)
            CHECK_THAT(message_for([](SortSpec& s) { s.layout = Layout::z_order; }),
                       Contains("layout z-order; with gpu_count on the fragment backend the layout must be row-wise"));
        CHECK_THAT(message_for([](SortSpec& s) { s.max_lists = 2; }),
                   Contains("Sorter::Sorter: gpu_count is given with max_lists 2"));
        CHECK_THAT(
            message_for([](SortSpec& s) { s.algorithm = "abisort"; }),
            Contains("Sorter::Sorter: ") && Contains("takes no count on the GPU; merge, radix and bitonic:step do"));

        GLint groups = 0;
        if (place.backend == Backend::compute) context.gl().GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, 0, &groups);
        // With more groups, one dispatch writes the numbers of all pieces.
        if (place.backend == Backend::compute && groups <= 65535) {
            SorterOptions options;
            options.max_elements_per_draw = 1;
            const SortSpec many = counted_spec(place.backend, "bitonic:step", 1 << 20);
            CHECK_THAT(error_of([&] { Sorter(many, context.get_proc_address(), options); }),
                       Contains("Sorter::Sorter: capacity 1048576: max_elements_per_draw 1 makes too many dispatches"));
        }

        Sorter sorter(counted_spec(place.backend, "merge", 100), context.get_proc_address());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(sorter.spec(), demo::Distribution::uniform, 100, 2);
        CallerCount given(context.gl(), sorter.spec(), 2);
        SortArguments arguments = caller.load(sample);
        const auto check = [&](const std::string& message) {
            CHECK_THAT(error_of([&] { sorter.sort(arguments); }), Contains("Sorter::sort: " + message));
            CHECK(caller.changed() == "");
        };
        given.set(arguments, 50);
        arguments.count = 100;
        check("count 100 is given, but the sorter was made with gpu_count");
        arguments.count = 0;
        arguments.gpu_count.offset += 2;
        check("gpu_count.offset 10 is not a multiple of 4 bytes");
        arguments.gpu_count.offset = 44;
        check("gpu_count at offset 44 with 4 bytes reaches past the end");
        arguments.gpu_count = {};
        check("gpu_count.name 0 is not a buffer");
        arguments.gpu_count = {1000000, 0};
        check("gpu_count.name 1000000 is not a buffer");
        arguments.gpu_count = buffers_of(arguments).keys;
        check("keys and gpu_count overlap");
        // The objects must have room for every count up to the capacity.
        given.set(arguments, 1);
        const BufferSlice right = buffers_of(arguments).keys;
        buffers_of(arguments).keys.offset += 400;
        check("keys at offset");
        buffers_of(arguments).keys = right;
        given.set(arguments, 100);
        sorter.sort(arguments);
        CHECK(caller.wrong(sample) == "");

        SortSpec plain = counted_spec(place.backend, "merge", 100);
        plain.gpu_count = false;
        Sorter other(plain, context.get_proc_address());
        arguments = caller.load(sample);
        given.set(arguments, 1);
        arguments.count = 100;
        CHECK_THAT(error_of([&] { other.sort(arguments); }),
                   Contains("Sorter::sort: gpu_count.name") && Contains("made without gpu_count"));
        CHECK_THAT(error_of([&] { other.status(); }),
                   Contains("Sorter::status: the sorter was made without gpu_count"));
        context.require_clean("counts that cannot be");
    }
}

TEST_CASE("a texel of a count that cannot be is refused", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        SortSpec spec = counted_spec(place.backend, "merge", 100);
        spec.gpu_count_medium = static_cast<Medium>(2);
        CHECK_THAT(error_of([&] { Sorter(spec, context.get_proc_address()); }),
                   Contains("Sorter::Sorter: gpu_count_medium 2 is none; the last one is 1 (texture)"));
        spec.gpu_count_medium = Medium::texture;
        const bool to_texture = place.backend == Backend::fragment || place.tier != Tier::es31;
        if (to_texture) spec.output = Medium::texture;
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(sorter.spec(), demo::Distribution::uniform, 100, 2);
        CallerCount given(context.gl(), spec, 2);
        SortArguments arguments = caller.load(sample);
        const auto check = [&](const std::string& message) {
            CHECK_THAT(error_of([&] { sorter.sort(arguments); }), Contains("Sorter::sort: " + message));
            CHECK(caller.changed() == "");
        };
        given.set(arguments, 100);
        const TextureView right = arguments.gpu_count_texture;
        arguments.gpu_count_texture = {};
        check("gpu_count_texture.name 0 is not a texture");
        arguments.gpu_count_texture.name = 1000000;
        check("gpu_count_texture has a size of 0x0 texels");
        arguments.gpu_count_texture = {1000000, 1, 1};
        check("gpu_count_texture.name 1000000 is not a texture");
        if (to_texture) {
            arguments.gpu_count_texture = arguments.output;
            check("gpu_count_texture and output are both texture");
        }
        if (place.tier != Tier::es30) {
            arguments.gpu_count_texture = right;
            ++arguments.gpu_count_texture.width;
            check("gpu_count_texture is given as 4x2 texels, but texture");
            GLuint floats = 0;
            context.gl().GenTextures(1, &floats);
            context.gl().BindTexture(GL_TEXTURE_2D, floats);
            context.gl().TexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 1, 1, 0, GL_RED, GL_FLOAT, nullptr);
            arguments.gpu_count_texture = {floats, 1, 1};
            check("gpu_count_texture is a texture of component type 0x1406; it must have unsigned integers");
            context.gl().DeleteTextures(1, &floats);
        }
        arguments.gpu_count_texture = right;
        arguments.gpu_count = {1, 0};
        check("gpu_count.name 1 is given, but the sorter was made without gpu_count in a buffer");
        arguments.gpu_count = {};
        sorter.sort(arguments);
        CHECK(caller.wrong(sample) == "");
        context.require_clean("texels of counts that cannot be");
    }
}

}  // namespace
}  // namespace glsort::test
