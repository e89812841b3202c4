#include <glsort/error.h>
#include <glsort/stream/program.h>

#include <numeric>
#include <random>

#include "sorter/gl_spy.h"
#include "sorter/sorting.h"
#include "support/random.h"
#include "support/sorted_lists.h"

// The public call that merges sorted lists.

namespace glsort::test {
namespace {

/// Sorted lists of 32-bit keys, and the expected result of a merge.
Sample make_lists(const SortSpec& spec, const Words& lengths, std::mt19937_64& random) {
    Sample sample;
    sample.keys = sorted_lists(spec.order.key, spec.order.direction, lengths, random() % 2 == 0 ? 9 : 1u << 31, random);
    const auto n = static_cast<std::uint32_t>(sample.keys.size());
    sample.count = n;
    const std::uint32_t words = spec.payload.size / 4;
    sample.values = random_words(random(), std::size_t{n} * words);
    const Words order = stable_order(spec.order.key, spec.order.direction, sample.keys, 0, n);
    sample.sorted_keys = permuted(sample.keys, 1, order);
    sample.sorted_values = spec.payload.kind == Payload::Kind::index ? order : permuted(sample.values, words, order);
    return sample;
}

/// Counts the calls that compile or allocate.
void watch(GlSpy& spy) {
    hide_renderer(spy);
    spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
    spy.count<&GladGLContext::CompileShader>("glCompileShader");
    spy.count<&GladGLContext::BufferData>("glBufferData");
    spy.count<&GladGLContext::TexImage2D>("glTexImage2D");
    spy.count<&GladGLContext::TexImage3D>("glTexImage3D");
    spy.count<&GladGLContext::Finish>("glFinish");
}

TEST_CASE("lists are merged where a sort would put them, and nothing is compiled or allocated for it", "[sorter]") {
    struct Mode {
        Tier tier;
        Backend backend;
        Medium input;
        Medium output;
        Payload payload;
        std::uint32_t max_lists;
    };
    const Seed seed;
    std::mt19937_64 random(seed.value());
    const auto buffers = Medium::buffer;
    const auto textures = Medium::texture;
    for (const Mode& mode : {Mode{Tier::es31, Backend::compute, buffers, buffers,
                                  random() % 2 == 0 ? Payload::index() : Payload::bytes(4), 64},
                             Mode{Tier::gl33, Backend::fragment, textures, textures, Payload::bytes(4), 8},
                             Mode{Tier::gl33, Backend::fragment, buffers, buffers, Payload::none(), 8}}) {
        if (!available(mode.tier)) continue;
        TestContext& context = clean_context(mode.tier);
        SortSpec spec;
        spec.backend = mode.backend;
        spec.input = mode.input;
        spec.output = mode.output;
        spec.payload = mode.payload;
        spec.max_lists = mode.max_lists;
        spec.capacity = 300;
        spec.order.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
        INFO(tier_name(mode.tier) << " " << describe(spec) << ", max_lists " << spec.max_lists);
        GlSpy spy(context);
        watch(spy);
        Sorter sorter(spec, spy.loader());
        Stepper stepper(sorter);
        Caller caller(context.gl(), sorter);
        spy.forget();
        for (const std::uint32_t n : {300u, 0u, 1u, 5u, 130u})
            for (const std::uint32_t lists : {1u, 2u, 8u, spec.max_lists}) {
                const Words lengths = list_lengths(n, lists, random);
                const Sample sample = make_lists(spec, lengths, random);
                sorter.merge(caller.load(sample), lengths);
                INFO(n << " elements in " << lists << " lists");
                CHECK(caller.wrong(sample) == "");
            }
        // A sort of this number of elements is another program.
        const Words lengths{200, 100};
        const Sample lists = make_lists(spec, lengths, random);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 300, seed.value());
        sorter.sort(caller.load(sample));
        CHECK(caller.wrong(sample) == "");
        stepper.begin(caller.load(lists), lengths);
        while (stepper.step()) {
        }
        CHECK(stepper.steps_done() == sorter.program(300, lengths).ops.size());
        CHECK(caller.wrong(lists) == "");
        sorter.sort(caller.load(sample));
        CHECK(caller.wrong(sample) == "");
        CHECK(spy.called() == "");
        context.require_clean("merge of lists");
    }
}

TEST_CASE("lists are merged with values of twelve bytes, beside sorts", "[sorter]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = clean_context(Tier::gl45);
    SortSpec spec;
    spec.algorithm = "merge";
    spec.backend = Backend::compute;
    spec.payload = Payload::bytes(12);
    spec.max_lists = 3;
    spec.capacity = 1100;
    GlSpy spy(context);
    watch(spy);
    Sorter sorter(spec, spy.loader());
    const Words lengths = list_lengths(1100, 3, random);
    const Sample sample = make_lists(spec, lengths, random);
    CallerBuffer buffer(context.gl(), sample.keys);
    CallerBuffer values(context.gl(), sample.values);
    spy.forget();
    SortArguments arguments;
    buffers_of(arguments).keys = {buffer.name()};
    buffers_of(arguments).values = {values.name()};
    arguments.count = 1100;
    for (const bool merges : {true, false, true}) {
        buffer.upload();
        values.upload();
        if (merges)
            sorter.merge(arguments, lengths);
        else
            sorter.sort(arguments);
        CHECK(difference(sample.sorted_keys, buffer.read(), "keys") == "");
        CHECK(difference(sample.sorted_values, values.read(), "values") == "");
    }
    CHECK(spy.called() == "");
    context.require_clean("merge of long values");
}

TEST_CASE("a sorter that merges lists keeps to the variant it is asked for", "[sorter]") {
    if (skipped_without(Tier::gl45)) return;
    TestContext& context = clean_context(Tier::gl45);
    SortSpec spec;
    spec.backend = Backend::compute;
    spec.max_lists = 3;
    spec.capacity = 100;
    spec.algorithm = "merge:multiway";
    const Sorter sorter(spec, context.get_proc_address());
    CHECK(sorter.spec().algorithm == "merge:multiway");
    CHECK(sorter.program(100).variant == "multiway");
    CHECK(sorter.program(100, Words{60, 40}).variant == "multiway");
    spec.algorithm = "merge:shared";
    CHECK_THROWS_WITH(Sorter(spec, context.get_proc_address()),
                      "Sorter::Sorter: max_lists 3: merge:shared takes no lists; merge:multiway does");
    spec.max_lists = 0;
    CHECK(Sorter(spec, context.get_proc_address()).spec().algorithm == "merge:shared");
    context.require_clean("variants asked for");
}

TEST_CASE("lists are merged into the sorter's own texture", "[sorter]") {
    if (skipped_without(Tier::es30)) return;
    TestContext& context = clean_context(Tier::es30);
    SortSpec spec;
    spec.backend = Backend::fragment;
    spec.payload = Payload::none();
    spec.output = Medium::texture;
    spec.own_output = true;
    spec.max_lists = 2;
    spec.capacity = 5;
    Sorter sorter(spec, context.get_proc_address());
    Stepper stepper(sorter);
    CallerBuffer buffer(context.gl(), {1, 4, 9, 2, 7});
    SortArguments arguments;
    buffers_of(arguments).keys = {buffer.name()};
    arguments.count = 5;
    const TextureView view = sorter.merge_to_texture(arguments, Words{3, 2});
    REQUIRE(view.name != 0);
    const Words texels = texels_of(context.gl(), view);
    Words merged;
    for (std::uint32_t i = 0; i < 5; ++i) {
        const Texel texel = texel_of({view.layout, view.width}, i);
        merged.push_back(texels[4 * (std::size_t{texel.y} * view.width + texel.x)]);
    }
    CHECK(merged == Words{1, 2, 4, 7, 9});
    stepper.begin(arguments, Words{3, 2});
    while (stepper.step()) {
    }
    const Words output = stepper.read(sorter.program(5, Words{3, 2}).stream("output"));
    CHECK(Words(output.begin(), output.begin() + 5) == Words{1, 2, 4, 7, 9});
    context.require_clean("merge to the own texture");
}

TEST_CASE("lists are merged in the order of a comparison", "[sorter]") {
    if (skipped_without(Tier::es30)) return;
    TestContext& context = clean_context(Tier::es30);
    SortSpec spec;
    Comparison comparison;
    comparison.name = "by_last_digit";
    comparison.glsl = "bool comes_before(uint a, uint b) { return a % 10u < b % 10u; }";
    spec.order.comparison = comparison;
    spec.backend = Backend::fragment;
    spec.payload = Payload::none();
    spec.max_lists = 3;
    spec.capacity = 8;
    Sorter sorter(spec, context.get_proc_address());
    CallerBuffer buffer(context.gl(), {30, 41, 17, 20, 57, 19, 1, 7});
    SortArguments arguments;
    buffers_of(arguments).keys = {buffer.name()};
    arguments.count = 8;
    sorter.merge(arguments, Words{3, 3, 2});
    CHECK(buffer.read() == Words{30, 20, 41, 1, 17, 57, 7, 19});
    context.require_clean("merge by a comparison");
}

TEST_CASE("misuse of merge throws, and names what is wrong", "[sorter]") {
    if (skipped_without(Tier::gl33)) return;
    TestContext& context = clean_context(Tier::gl33);
    SortSpec spec;
    spec.payload = Payload::none();
    spec.capacity = 10;
    CallerBuffer buffer(context.gl(), {3, 5, 1, 4});
    SortArguments arguments;
    buffers_of(arguments).keys = {buffer.name()};
    arguments.count = 4;
    {
        spec.algorithm = "bitonic";
        Sorter sorter(spec, context.get_proc_address());
        Stepper stepper(sorter);
        CHECK_THROWS_WITH(sorter.merge(arguments, Words{2, 2}), "Sorter::merge: the sorter was made without max_lists");
        CHECK_THROWS_WITH(stepper.begin(arguments, Words{2, 2}),
                          "Stepper::begin: the sorter was made without max_lists");
        spec.max_lists = 2;
        CHECK_THROWS_WITH(Sorter(spec, context.get_proc_address()),
                          "Sorter::Sorter: max_lists 2: bitonic:step takes no lists; merge:multiway does");
        spec.algorithm = "automatic";
        spec.max_lists = 65;
        CHECK_THROWS_WITH(Sorter(spec, context.get_proc_address()),
                          "Sorter::Sorter: max_lists 65 exceeds the limit of 64");
    }
    spec.max_lists = 2;
    Sorter sorter(spec, context.get_proc_address());
    CHECK_THROWS_WITH(sorter.merge(arguments, Words{2, 1, 1}),
                      "Sorter::merge: 3 lists exceed max_lists 2 given at construction");
    CHECK_THROWS_WITH(sorter.merge(arguments, Words{2, 3}), "Sorter::merge: lists add up to 5 elements; count is 4");
    CHECK_THROWS_WITH(sorter.merge(arguments, Words{}), "Sorter::merge: lists add up to 0 elements; count is 4");
    CHECK_THROWS_WITH(sorter.merge(arguments, Words{0xffffffffu, 5}),
                      "Sorter::merge: lists add up to 4294967300 elements; count is 4");
    CHECK_THROWS_WITH(Stepper(sorter).begin(arguments, Words{3}),
                      "Stepper::begin: lists add up to 3 elements; count is 4");
    CHECK_THROWS_WITH(sorter.program(4, Words{3}), "Sorter::program: lists add up to 3 elements; count is 4");
    CHECK_THROWS_WITH(sorter.merge_to_texture(arguments, Words{2, 2}),
                      "Sorter::merge_to_texture: the sorter was made without own_output");
    SortArguments many = arguments;
    many.count = 11;
    CHECK_THROWS_WITH(sorter.merge(many, Words{11}),
                      "Sorter::merge: count 11 exceeds the capacity 10 given at construction");
    CHECK(buffer.read() == Words{3, 5, 1, 4});
    // The sorter still works.
    sorter.merge(arguments, Words{2, 2});
    CHECK(buffer.read() == Words{1, 3, 4, 5});
    context.require_clean("misuse of merge");
}

}  // namespace
}  // namespace glsort::test
