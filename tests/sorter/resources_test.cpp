#include <glsort/stream/schedule.h>

#include <array>
#include <memory>
#include <numeric>
#include <random>

#include <glsort/planner.h>

#include "sorter/gl_spy.h"
#include "sorter/sorting.h"
#include "support/fewer_modes.h"
#include "support/random.h"

/// The memory of a sorter, and the costs of its calls.

namespace glsort::test {
namespace {

struct Mode {
    Medium input;
    Medium output;
    bool own_output;
    const char* algorithm = "automatic";
};
constexpr std::array modes{Mode{Medium::buffer, Medium::buffer, false}, Mode{Medium::buffer, Medium::texture, false},
                           Mode{Medium::buffer, Medium::texture, true}, Mode{Medium::texture, Medium::texture, false},
                           Mode{Medium::buffer, Medium::buffer, false, "abisort"}};

/// Visits every place with every mode that the place offers, with a specification of `capacity`.
template <class Visit>
void for_each_mode(std::uint32_t capacity, const Visit& visit) {
    for (const Place& place : places_in_turn())
        for (const Mode& mode : modes) {
            if (mode.output == Medium::texture && !writes_textures(place)) continue;
            // GPU-ABiSort only if both backends store in place.
            if (mode.algorithm == std::string("abisort") && place.tier != Tier::gl45) continue;
            SortSpec spec;
            spec.algorithm = mode.algorithm;
            spec.payload = Payload::bytes(4);
            spec.backend = place.backend;
            spec.capacity = capacity;
            spec.input = mode.input;
            spec.output = mode.output;
            spec.own_output = mode.own_output;
            INFO(describe(place) << ": " << describe(spec));
            TestContext& context = clean_context(place.tier);
            visit(context, spec);
            context.require_clean("resources");
        }
}

void sort_with(Sorter& sorter, const SortArguments& arguments, Readers readers = Readers::all) {
    if (sorter.spec().own_output)
        sorter.sort_to_texture(arguments, readers);
    else
        sorter.sort(arguments, readers);
}

/// Checks the memory of a sorter. If `sorts`, also after sorts.
void check_memory(TestContext& context, const SortSpec& spec, bool sorts) {
    INFO("layout " << to_string(spec.layout.value_or(Layout::row_wise)) << ", payload " << to_string(spec.payload));
    Sorter sorter(spec, context.get_proc_address());
    std::uint64_t predicted = cost(sorter.program(spec.capacity)).scratch_bytes;
    if (spec.own_output) {
        const TextureView own = sorter.texture_for(spec.capacity);
        const std::uint32_t words = key_words(spec.order.key) + value_words(spec.payload);
        predicted += std::uint64_t{4} * own.width * own.height * (words == 3 ? 4 : words);
    }
    // Corners of rectangles, for domains with more than one rectangle. An op of GPU-ABiSort has several blocks, each
    // with several rectangles, and each range of counts has corners of its own.
    const std::uint64_t most = spec.algorithm == "abisort" ? 128 * 1024 : 64 * 1024;
    const std::uint64_t corners = spec.backend == Backend::fragment ? most : 0;
    const std::uint64_t held = sorter.scratch_bytes();
    CHECK(held >= predicted);
    CHECK(held <= predicted + corners);
    if (!sorts) return;
    // No count needs more memory.
    Caller caller(context.gl(), sorter);
    for (const std::uint32_t n : {spec.capacity, spec.capacity / 2, 1u, spec.capacity}) {
        const Sample sample = make_sample(spec, demo::Distribution::uniform, n, n);
        sort_with(sorter, caller.load(sample));
        CHECK(caller.wrong(sample, own_texture_of(sorter)) == "");
    }
    CHECK(sorter.scratch_bytes() == held);
}

/// Begins sorts of these counts. No sort may need more than the sorter has since its construction.
void check_counts(const SortSpec& spec, const std::vector<std::uint32_t>& counts) {
    TestContext& context = clean_context(Tier::gl45);
    GlSpy spy(context);
    spy_on_allocations(spy);
    Sorter sorter(spec, spy.loader());
    Stepper stepper(sorter);
    Caller caller(context.gl(), sorter);
    caller.load(make_sample(spec, demo::Distribution::uniform, spec.capacity, 1));
    const std::uint64_t held = sorter.scratch_bytes();
    CHECK(spy.all_calls() > 0);
    spy.forget();
    SortArguments arguments = caller.arguments();
    std::uint64_t most = held;
    for (const std::uint32_t count : counts) {
        arguments.count = count;
        stepper.begin(arguments);
        most = std::max(most, sorter.scratch_bytes());
    }
    INFO(spec.algorithm << ", " << describe(spec));
    CHECK(most == held);
    CHECK(spy.called() == "");
    context.require_clean("counts");
}

TEST_CASE("no count takes more memory than a sorter has from its construction", "[sorter]") {
    if (skipped_without(Tier::gl45)) return;
    const Seed seed;
    std::vector<std::uint32_t> counts;
    for (std::uint32_t count = 1; count <= 511; ++count)
        if (!fewer_modes || (count + seed.value()) % 8 == 0) counts.push_back(count);
    for (const Layout layout : {Layout::row_wise, Layout::z_order})
        for (const char* algorithm : {"abisort:paper", "abisort:overlapped", "abisort:fused", "merge", "bitonic"}) {
            SortSpec spec;
            spec.algorithm = algorithm;
            spec.backend = Backend::fragment;
            spec.payload = Payload::none();
            spec.capacity = 511;
            spec.layout = layout;
            check_counts(spec, counts);
            if (algorithm == std::string("abisort:paper")) continue;
            spec.input = spec.output = Medium::texture;
            check_counts(spec, counts);
        }
}

TEST_CASE("no count takes more memory than a compute sorter has from its construction", "[sorter][slow]") {
    if (skipped_without(Tier::gl45)) return;
    std::vector<std::uint32_t> counts(400);
    std::iota(counts.begin(), counts.end(), 1);
    for (const char* algorithm :
         {"abisort:fused", "merge:multiway", "merge:shared", "radix", "sample", "bitonic:local"}) {
        SortSpec spec;
        spec.algorithm = algorithm;
        spec.backend = Backend::compute;
        spec.payload = Payload::bytes(4);
        spec.capacity = 400;
        check_counts(spec, counts);
    }
}

TEST_CASE("no count takes more memory than a large sorter has from its construction", "[sorter]") {
    if (skipped_without(Tier::gl45)) return;
    const Seed seed;
    std::mt19937_64 random(seed.value());
    // For 6721 elements, GPU-ABiSort draws far more rectangles in Z-order than for 8191.
    std::vector<std::uint32_t> counts{6721, 1, 8190, 7606};
    for (int i = 0; i < 150; ++i)
        counts.push_back(1 + static_cast<std::uint32_t>(random() % 8191));
    for (const char* algorithm : {"abisort:paper", "abisort:fused"}) {
        SortSpec spec;
        spec.algorithm = algorithm;
        spec.backend = Backend::fragment;
        spec.layout = Layout::z_order;
        spec.payload = Payload::none();
        spec.capacity = 8191;
        check_counts(spec, counts);
    }
}

TEST_CASE("no shape of the caller's textures takes more memory than a sorter has from its construction", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        if (place.tier != Tier::gl45) continue;  // The other tiers behave alike.
        TestContext& context = clean_context(place.tier);
        GlSpy spy(context);
        spy_on_allocations(spy);
        SorterOptions believes_shapes;
        believes_shapes.state = StatePolicy::caller_resets;
        SortSpec spec;
        spec.algorithm = "merge:multiway";
        spec.payload = Payload::bytes(4);
        spec.backend = place.backend;
        spec.capacity = 700;
        spec.input = spec.output = Medium::texture;
        Sorter sorter(spec, spy.loader(), believes_shapes);
        Stepper stepper(sorter);
        Caller caller(context.gl(), sorter);
        const std::uint64_t held = sorter.scratch_bytes();
        spy.forget();
        SortArguments arguments = caller.load(make_sample(spec, demo::Distribution::uniform, 699, 1));
        for (std::uint32_t width = 30; width < 200; ++width) {
            const bool rows = width % 16 != 0;
            arguments.output.width = rows ? width : 32;
            arguments.output.height = rows ? 699 / width + 1 : 32;
            arguments.output.layout = rows ? Layout::row_wise : Layout::z_order;
            stepper.begin(arguments);
        }
        INFO(describe(place));
        CHECK(sorter.scratch_bytes() == held);
        CHECK(spy.called() == "");
        // Draws to the last shape work like draws to all others.
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 699, 2);
        sorter.sort(caller.load(sample));
        CHECK(caller.wrong(sample) == "");
        reset_state(context.gl());
        context.require_clean("shapes");
    }
}

/// Checks the memory in every mode. Each sorter compiles its shaders, which takes long on some drivers.
void check_memory_in_every_mode(std::uint32_t capacity, bool sorts) {
    for_each_mode(capacity, [&](TestContext& context, SortSpec spec) {
        if (context.tier() != Tier::gl45) return;  // The other tiers have the same memory.
        const bool textures = spec.backend == Backend::fragment || spec.output == Medium::texture;
        for (const Layout layout : {Layout::row_wise, Layout::z_order})
            for (const Payload& payload : {Payload::none(), Payload::bytes(4)}) {
                if (layout == Layout::z_order && !textures) continue;  // Buffers have no layout.
                spec.layout = layout;
                spec.payload = payload;
                check_memory(context, spec, sorts && payload == Payload::none());
            }
    });
}

TEST_CASE("the memory that a sorter of few elements holds is what its program costs", "[sorter][slow]") {
    if (skipped_without(Tier::gl45)) return;
    for (const std::uint32_t capacity : {1u, 3u})
        check_memory_in_every_mode(capacity, false);
}

TEST_CASE("the memory that a sorter holds is what its program costs, and sorts take no more", "[sorter][slow]") {
    if (skipped_without(Tier::gl45)) return;
    check_memory_in_every_mode(100, true);
}

TEST_CASE("the memory that a sorter of many elements holds is what its program costs", "[sorter][slow]") {
    if (skipped_without(Tier::gl45)) return;
    check_memory_in_every_mode(5000, false);
}

TEST_CASE("the memory that a sorter of 64-bit keys and large values holds is what its program costs",
          "[sorter][slow]") {
    if (skipped_without(Tier::gl45)) return;
    for_each_mode(70, [&](TestContext& context, SortSpec spec) {
        if (context.tier() != Tier::gl45 || spec.algorithm == "abisort") return;
        spec.algorithm = "bitonic";
        spec.order.key = KeyType::f64;
        // Values of several words if the medium allows.
        spec.payload = spec.output == Medium::buffer ? Payload::bytes(12) : Payload::index();
        check_memory(context, spec, true);
    });
}

TEST_CASE("every program is compiled at construction", "[sorter][slow]") {
    const std::array<std::optional<TextureView>, 4> shapes{std::nullopt, TextureView{0, 23, 7, Layout::row_wise},
                                                           TextureView{0, 16, 16, Layout::z_order},
                                                           TextureView{0, 16, 12, Layout::row_wise}};
    for_each_mode(130, [&](TestContext& context, const SortSpec& spec) {
        GlSpy spy(context);
        spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
        spy.count<&GladGLContext::CompileShader>("glCompileShader");
        Sorter sorter(spec, spy.loader());
        CHECK(spy.calls("glLinkProgram") > 0);
        spy.forget();
        const bool buffers = spec.input == Medium::buffer && spec.output == Medium::buffer;
        for (std::size_t i = 0; i < shapes.size(); ++i)
            for (std::size_t o = 0; o < shapes.size(); ++o) {
                // Every pair in one tier, a few pairs in the others.
                if ((buffers || context.tier() != Tier::gl33) && o != (i + 1) % shapes.size()) continue;
                if (buffers && i > 0) continue;
                Arrangement arrangement;
                arrangement.input = shapes[i];
                arrangement.output = shapes[o];
                Caller caller(context.gl(), sorter, arrangement);
                for (const std::uint32_t n : {1u, 2u, 3u, 4u, 5u, 64u, 129u, 130u}) {
                    const Sample sample = make_sample(spec, demo::Distribution::uniform, n, n);
                    sort_with(sorter, caller.load(sample));
                    CHECK(caller.wrong(sample, own_texture_of(sorter)) == "");
                }
            }
        CHECK(spy.called() == "");
    });
}

/// Sorts counts of many kinds. No program may be linked after construction.
void check_links_nothing(TestContext& context, const SortSpec& spec) {
    INFO(spec.algorithm);
    GlSpy spy(context);
    spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
    Sorter sorter(spec, spy.loader());
    CHECK(spy.calls("glLinkProgram") > 0);
    spy.forget();
    Caller caller(context.gl(), sorter);
    for (const std::uint32_t n : {1u, 2u, 3u, 4u, 5u, 16u, 17u, 64u, 100u, 129u, 130u}) {
        const Sample sample = make_sample(spec, demo::Distribution::uniform, n, n);
        sorter.sort(caller.load(sample));
        CHECK(caller.wrong(sample) == "");
    }
    CHECK(spy.calls("glLinkProgram") == 0);
    context.require_clean("compiled at construction");
}

TEST_CASE("every program for 64-bit keys and large values is compiled at construction", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        if (place.tier != Tier::gl33 && place.tier != Tier::gl45) continue;  // The other tiers behave alike.
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        SortSpec spec;
        spec.algorithm = "bitonic";
        spec.order.key = KeyType::u64;
        spec.payload = Payload::bytes(12);
        spec.backend = place.backend;
        spec.capacity = 130;
        check_links_nothing(context, spec);
        if (place.backend != Backend::compute) continue;
        spec.algorithm = "bitonic:local";
        spec.tuning.networks.tile = 16;
        check_links_nothing(context, spec);
    }
}

TEST_CASE("a sort never waits", "[sorter]") {
    for_each_mode(100, [](TestContext& context, const SortSpec& spec) {
        GlSpy spy(context);
        hide_renderer(spy);
        spy.count<&GladGLContext::Finish>("glFinish");
        spy.count<&GladGLContext::Flush>("glFlush");
        spy.count<&GladGLContext::MapBufferRange>("glMapBufferRange");
        spy.count<&GladGLContext::MapBuffer>("glMapBuffer");
        spy.count<&GladGLContext::GetBufferSubData>("glGetBufferSubData");
        // Whether a read goes to memory. A read to a buffer does not wait.
        static bool reads_to_memory;
        reads_to_memory = false;
        spy.replace(
            "glReadPixels",
            +[](GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void* pixels) {
                GLint buffer = 0;
                GlSpy::gl().GetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &buffer);
                reads_to_memory = reads_to_memory || buffer == 0;
                GlSpy::gl().ReadPixels(x, y, width, height, format, type, pixels);
            });
        spy.count<&GladGLContext::GetTexImage>("glGetTexImage");
        spy.count<&GladGLContext::FenceSync>("glFenceSync");
        spy.count<&GladGLContext::ClientWaitSync>("glClientWaitSync");
        spy.count<&GladGLContext::WaitSync>("glWaitSync");
        spy.count<&GladGLContext::GetQueryObjectuiv>("glGetQueryObjectuiv");
        spy.count<&GladGLContext::GetError>("glGetError");
        spy.count<&GladGLContext::BufferData>("glBufferData");
        spy.count<&GladGLContext::TexImage2D>("glTexImage2D");
        spy.count<&GladGLContext::TexImage3D>("glTexImage3D");
        Sorter sorter(spec, spy.loader());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 99, 1);
        spy.forget();
        for (int repeat = 0; repeat < 3; ++repeat)
            sort_with(sorter, caller.load(sample));
        CHECK(spy.called() == "");
        CHECK_FALSE(reads_to_memory);
        CHECK(caller.wrong(sample, own_texture_of(sorter)) == "");
    });
}

TEST_CASE("any count is sorted in the storage that was there", "[sorter]") {
    for_each_mode(100, [](TestContext& context, const SortSpec& spec) {
        GlSpy spy(context);
        spy.count<&GladGLContext::BufferData>("glBufferData");
        spy.count<&GladGLContext::TexImage2D>("glTexImage2D");
        spy.count<&GladGLContext::TexImage3D>("glTexImage3D");
        Sorter sorter(spec, spy.loader());
        CHECK(spy.all_calls() > 0);
        Caller caller(context.gl(), sorter);
        spy.forget();
        // One element and no element have the shortest programs. Longer programs come before and after each.
        for (const std::uint32_t n : {100u, 1u, 99u, 0u, 2u, 1u, 3u, 100u}) {
            const Sample sample = make_sample(spec, demo::Distribution::uniform, n, n);
            sort_with(sorter, caller.load(sample));
            CHECK(caller.wrong(sample, own_texture_of(sorter)) == "");
        }
        CHECK(spy.called() == "");
    });
}

TEST_CASE("where the caller resets the state, a sort asks for names alone", "[sorter]") {
    for_each_mode(100, [](TestContext& context, const SortSpec& spec) {
        SorterOptions options;
        options.state = StatePolicy::caller_resets;
        GlSpy spy(context);
        spy.count<&GladGLContext::GetIntegerv>("glGetIntegerv");
        spy.count<&GladGLContext::GetInteger64v>("glGetInteger64v");
        spy.count<&GladGLContext::GetIntegeri_v>("glGetIntegeri_v");
        spy.count<&GladGLContext::GetInteger64i_v>("glGetInteger64i_v");
        spy.count<&GladGLContext::GetBooleanv>("glGetBooleanv");
        spy.count<&GladGLContext::GetBooleani_v>("glGetBooleani_v");
        spy.count<&GladGLContext::GetFloatv>("glGetFloatv");
        spy.count<&GladGLContext::GetFloati_v>("glGetFloati_v");
        spy.count<&GladGLContext::IsEnabled>("glIsEnabled");
        spy.count<&GladGLContext::IsEnabledi>("glIsEnabledi");
        spy.count<&GladGLContext::GetError>("glGetError");
        spy.count<&GladGLContext::GetUniformLocation>("glGetUniformLocation");
        spy.count<&GladGLContext::CheckFramebufferStatus>("glCheckFramebufferStatus");
        spy.count<&GladGLContext::GetBufferParameteri64v>("glGetBufferParameteri64v");
        spy.count<&GladGLContext::GetTexLevelParameteriv>("glGetTexLevelParameteriv");
        Sorter sorter(spec, spy.loader(), options);
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 99, 1);
        sort_with(sorter, caller.load(sample));
        spy.forget();
        sort_with(sorter, caller.arguments());
        CHECK(spy.called() == "");
        reset_state(context.gl());
    });
}

TEST_CASE("between sorts, no texture of a sorter has the caller's buffer", "[sorter]") {
    if (std::string why; !available(Tier::gl45, &why)) return;
    TestContext& context = clean_context(Tier::gl45);
    const GladGLContext& gl = context.gl();
    SortSpec spec{.payload = Payload::bytes(4), .capacity = 500, .backend = Backend::fragment};
    Sorter sorter(spec, context.get_proc_address());
    // Keys and values are read where they are.
    for (const Op& op : sorter.program(500).ops)
        CHECK(op.kernel->name != "upload");
    Caller caller(gl, sorter);
    const Sample sample = make_sample(spec, demo::Distribution::uniform, 500, 1);
    sorter.sort(caller.load(sample));
    for (GLuint name = 1; name < 100000; ++name) {
        if (gl.IsTexture(name) == GL_FALSE) continue;
        GLint buffer = 0;  // Stays 0 for other kinds of textures.
        gl.GetTextureLevelParameteriv(name, 0, GL_TEXTURE_BUFFER_DATA_STORE_BINDING, &buffer);
        CAPTURE(name);
        CHECK(buffer == 0);
    }
    CHECK(caller.wrong(sample) == "");
    context.require_clean("buffer textures");
}

TEST_CASE("the sorter says what it became", "[sorter]") {
    for (const Tier tier : all_tiers()) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        const bool compute = backends_of_tier(tier).size() > 1;
        const bool es = tier_api(tier) == demo::Api::gles;
        CAPTURE(tier_name(tier));
        SortSpec spec;
        spec.capacity = 10;
        {
            const Sorter sorter(spec, context.get_proc_address());
            CHECK(sorter.spec().backend == (compute ? Backend::compute : Backend::fragment));
            CHECK(sorter.spec().capacity == 10);
            // The automatic choice depends on the device. The planner decides from the device's limits
            // (plan/radix_test.cpp).
            PlanRequest request;
            request.spec.backend = sorter.spec().backend;
            request.n = 10;
            request.limits = describe_context(context.get_proc_address()).limits;
            const AlgorithmChoice choice = choose_algorithm(request);
            CHECK(sorter.spec().algorithm == choice.name + ":" + choice.variant);
            const StreamProgram program = sorter.program(10);
            CHECK(program.algorithm == choice.name);
            CHECK(program.variant == choice.variant);
        }
        spec.output = Medium::texture;
        spec.algorithm = "bitonic";
        {
            const Sorter sorter(spec, context.get_proc_address());
            CHECK(sorter.spec().backend == (compute && !es ? Backend::compute : Backend::fragment));
            CHECK(sorter.spec().algorithm == "bitonic:step");
        }
        context.require_clean("spec");
    }
}

TEST_CASE("a context report names what there is, and why", "[sorter]") {
    for (const Tier tier : all_tiers()) {
        if (!available(tier)) continue;
        TestContext& context = clean_context(tier);
        const bool compute = backends_of_tier(tier).size() > 1;
        CAPTURE(tier_name(tier));
        const ContextReport report = describe_context(context.get_proc_address());
        CHECK_FALSE(report.renderer.empty());
        CHECK_FALSE(report.version.empty());
        CHECK_FALSE(report.shading_language.empty());
        CHECK(report.automatic == (compute ? Backend::compute : Backend::fragment));
        CHECK_FALSE(report.automatic_reason.empty());
        REQUIRE(report.offers.size() == 3);
        CHECK(report.offers[0].backend == Backend::fragment);
        CHECK(report.offers[0].available);
        CHECK(report.offers[1].backend == Backend::compute);
        CHECK(report.offers[1].available == compute);
        CHECK(report.offers[2].backend == Backend::cpu);
        CHECK(report.offers[2].available);
        for (const ContextReport::Offer& offer : report.offers)
            CHECK_FALSE(offer.reason.empty());
        CHECK(report.limits.attachments >= 4);
        CHECK(report.limits.texture_size >= 1024);
        CHECK((report.limits.storage_blocks >= 4) == compute);
        // The largest number of attachments for which a framebuffer is complete, within the limit.
        for (const GLint attachments : {1, 2, 3, 4, 7, 8}) {
            context.limit(GL_MAX_COLOR_ATTACHMENTS, attachments);
            const std::uint32_t expected = std::bit_floor(static_cast<std::uint32_t>(attachments));
            CHECK(describe_context(context.get_proc_address()).limits.attachments == expected);
        }
        context.unlimit();
        context.require_clean("report");
    }
}

}  // namespace
}  // namespace glsort::test
