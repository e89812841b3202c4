#include <glsort/error.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sorter/gl_spy.h"
#include "sorter/sorting.h"
#include "support/random.h"

namespace glsort::test {
namespace {

using Catch::Contains;

/// Runs of 8 in registers. Longer runs look keys up at hundreds of places, and compile for long.
void shorten_runs(TestContext& context) {
    context.limit(GL_MAX_DRAW_BUFFERS, 2);
}

/// The merge for compute on hardware, whose runs are short.
std::string algorithm_for(const Place& place, std::string_view algorithm) {
    const bool merges = algorithm == "automatic" || algorithm == "merge";
    return merges && place.backend == Backend::compute ? "merge:shared" : std::string(algorithm);
}

/// Sorts several counts, one after the other.
void check_some_counts(TestContext& context, Sorter& sorter, Caller& caller, std::uint64_t seed) {
    const std::uint32_t capacity = sorter.spec().capacity;
    for (const std::uint32_t count : {0u, 1u, 2u, 3u, 17u, 32u, capacity - 1, capacity}) {
        INFO("count " << count);
        const Sample sample = make_sample(sorter.spec(), demo::Distribution::uniform, count, seed + count);
        sorter.sort(caller.load(sample));
        CHECK(caller.wrong(sample) == "");
    }
    context.require_clean("a comparison");
}

// Compilation of shaders takes most of the time, so modes take turns.
struct ComparisonMode {
    std::uint32_t key_bytes;
    Payload payload;
    const char* algorithm;
};

TEST_CASE("by a comparison of the caller's, buffers are sorted in place, and nothing around them is touched",
          "[sorter]") {
    const Seed seed;
    constexpr std::array modes{
        ComparisonMode{8, Payload::index(), "automatic"}, ComparisonMode{12, Payload::bytes(4), "bitonic"},
        ComparisonMode{16, Payload::bytes(12), "merge"},  ComparisonMode{4, Payload::none(), "merge"},
        ComparisonMode{12, Payload::none(), "merge"},     ComparisonMode{8, Payload::bytes(64), "bitonic"},
        ComparisonMode{16, Payload::index(), "bitonic"},  ComparisonMode{12, Payload::index(), "automatic"},
        ComparisonMode{4, Payload::bytes(4), "bitonic"}};
    std::size_t turn = seed.value() % modes.size();
    for (const Place& place : places_in_turn()) {
        if (++turn % 2 != 0) continue;
        TestContext& context = clean_context(place.tier);
        const ComparisonMode& mode = modes[(turn / 2 + seed.value()) % modes.size()];
        SortSpec spec;
        spec.order.comparison = comparison_of(mode.key_bytes);
        spec.order.direction = turn % 4 < 2 ? Direction::ascending : Direction::descending;
        spec.payload = mode.payload;
        spec.algorithm = algorithm_for(place, mode.algorithm);
        spec.backend = place.backend;
        spec.capacity = 70;
        INFO(describe(place) << ": " << mode.algorithm << ", " << describe(spec));
        shorten_runs(context);
        Sorter sorter(spec, context.get_proc_address());
        context.unlimit();
        for (const bool one_buffer : {false, true}) {
            Arrangement arrangement;
            // Keys of 12 bytes may begin at any word.
            arrangement.words_before_keys = one_buffer ? 22 : 5;
            arrangement.words_before_values = 7;
            arrangement.one_buffer = one_buffer;
            Caller caller(context.gl(), sorter, arrangement);
            check_some_counts(context, sorter, caller, seed.value() + turn);
        }
    }
}

TEST_CASE("by a comparison of the caller's, keys are sorted from and to textures", "[sorter]") {
    const Seed seed;
    constexpr std::array modes{
        ComparisonMode{8, Payload::bytes(4), "merge"},  ComparisonMode{12, Payload::bytes(4), "bitonic"},
        ComparisonMode{16, Payload::none(), "merge"},   ComparisonMode{12, Payload::index(), "merge"},
        ComparisonMode{4, Payload::index(), "bitonic"}, ComparisonMode{12, Payload::none(), "bitonic"},
        ComparisonMode{16, Payload::none(), "bitonic"}};
    std::size_t turn = seed.value() % modes.size();
    for (const Place& place : places_in_turn()) {
        // Every shape of the caller's textures needs its own shaders, so only one place of three is tested.
        if (++turn % 3 != 0 || !writes_textures(place)) continue;
        TestContext& context = clean_context(place.tier);
        const ComparisonMode& mode = modes[(turn / 3 + seed.value()) % modes.size()];
        SortSpec spec;
        spec.order.comparison = comparison_of(mode.key_bytes);
        spec.order.direction = turn / 2 % 2 == 0 ? Direction::ascending : Direction::descending;
        spec.payload = mode.payload;
        spec.algorithm = algorithm_for(place, mode.algorithm);
        spec.backend = place.backend;
        spec.capacity = 40;
        spec.layout = seed.value() / 16 % 2 == 0 ? Layout::row_wise : Layout::z_order;
        spec.input = (seed.value() / 8 + turn / 2) % 2 == 0 ? Medium::buffer : Medium::texture;
        spec.output = Medium::texture;
        INFO(describe(place) << ": " << mode.algorithm << ", " << describe(spec));
        shorten_runs(context);
        GlSpy spy(context);
        spy.count<&GladGLContext::LinkProgram>("glLinkProgram");
        Sorter sorter(spec, spy.loader());
        CHECK(spy.calls("glLinkProgram") > 0);
        spy.forget();
        for (const bool own_shapes : {true, false}) {
            Arrangement arrangement;
            arrangement.wide_input = own_shapes;
            if (own_shapes) {
                arrangement.input = TextureView{0, 11, 5, Layout::row_wise};
                arrangement.output = TextureView{0, 9, 10, Layout::z_order};
            }
            Caller caller(context.gl(), sorter, arrangement);
            check_some_counts(context, sorter, caller, seed.value() + turn);
        }
        // Kernels that compare also read the caller's texture, of any shape.
        CHECK(spy.calls("glLinkProgram") == 0);
        context.unlimit();
    }
}

TEST_CASE("abisort sorts 64-bit keys in buffers and textures", "[sorter]") {
    const Seed seed;
    std::size_t turn = seed.value() % 12;
    for (const Place& place : places_in_turn()) {
        // The shaders compile for long, so only one place of three is tested.
        if (++turn % 3 != 0) continue;
        TestContext& context = clean_context(place.tier);
        SortSpec spec;
        spec.algorithm = "abisort";
        spec.order.key = std::array{KeyType::u64, KeyType::i64, KeyType::f64}[turn / 3 % 3];
        spec.payload = std::array{Payload::index(), Payload::bytes(4), Payload::none()}[seed.value() % 3];
        spec.order.direction = turn % 2 == 0 ? Direction::ascending : Direction::descending;
        spec.backend = place.backend;
        spec.capacity = 130;
        if (turn % 4 < 2 && writes_textures(place)) spec.input = spec.output = Medium::texture;
        INFO(describe(place) << ": " << describe(spec));
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        for (const auto distribution : {demo::Distribution::few_distinct, demo::Distribution::special}) {
            const Sample sample = make_sample(spec, distribution, 129, seed.value() + turn);
            sorter.sort(caller.load(sample));
            CHECK(caller.wrong(sample) == "");
        }
        check_some_counts(context, sorter, caller, seed.value() + turn);
    }
}

/// The error of a sorter for `spec`.
std::string refusal_of_sorter(TestContext& context, const SortSpec& spec) {
    try {
        Sorter sorter(spec, context.get_proc_address());
    } catch (const Error& error) {
        return error.what();
    }
    return "(nothing thrown)";
}

// All variants that support a comparison and run on this backend.
std::vector<std::string> takers_of_comparisons(Backend backend) {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms())
        for (const Algorithm::Variant& variant : algorithm.variants)
            if (variant.takes.comparison && (variant.takes.fragment || backend == Backend::compute))
                names.push_back(algorithm.name + ":" + variant.name);
    return names;
}

/// The merges and the sample sorts: what they read and write depends on comparisons. Networks do not.
std::vector<std::string> merges_and_sample_sorts(Backend backend) {
    std::vector<std::string> names;
    for (const std::string& name : takers_of_comparisons(backend))
        if (name.starts_with("merge:") || name.starts_with("sample:")) names.push_back(name);
    return names;
}

TEST_CASE("by a comparison that is no order, sorts give indices of the input", "[sorter][slow]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    constexpr std::uint32_t capacity = 6000;
    for (const Place& place : places_in_turn()) {
        // One place of each backend is enough. The shaders compile for long.
        if (place.tier != Tier::es31) continue;
        TestContext& context = clean_context(place.tier);
        for (const std::string& algorithm : merges_and_sample_sorts(place.backend)) {
            const std::vector<Comparison> comparisons = comparisons_without_order();
            SortSpec spec;
            spec.order.comparison = comparisons[random() % comparisons.size()];
            spec.algorithm = algorithm;
            spec.backend = place.backend;
            spec.capacity = capacity;
            if (algorithm.starts_with("sample:")) spec.tuning.sample.tile = std::array{64u, 256u}[random() % 2];
            INFO(describe(place) << ": " << describe(spec) << ", " << algorithm << ", " << spec.order.comparison->name);
            shorten_runs(context);
            Sorter sorter(spec, context.get_proc_address());
            context.unlimit();
            const CallerBuffer keys(context.gl(), make_keys(*spec.order.comparison, capacity, random()));
            const CallerBuffer values(context.gl(), Words(capacity));
            SortArguments arguments;
            arguments.input = Buffers{.keys = {keys.name(), 0}, .values = {values.name(), 0}};
            // Smaller sorts would find indices of larger ones in what no op wrote.
            for (std::uint32_t count = capacity; count > 1000;
                 count -= 1 + static_cast<std::uint32_t>(random() % 1000)) {
                arguments.count = count;
                values.upload();
                keys.upload();
                sorter.sort(arguments);
                const Words indices = values.read();
                const auto first = indices.begin();
                CHECK(std::count_if(first, first + count, [count](std::uint32_t i) { return i >= count; }) == 0);
            }
            context.require_clean("a comparison that is no order");
        }
    }
}

TEST_CASE("a comparison that does not compile is reported by its name and line", "[sorter]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const std::string& algorithm : takers_of_comparisons(place.backend)) {
            SortSpec spec;
            spec.order.comparison = comparison_of(8);
            spec.order.comparison->name = "by depth";
            spec.order.comparison->glsl =
                "// Nearer ones first.\n"
                "bool comes_before(uvec2 a, uvec2 b) {\n"
                "    return a.x < depth_of_b;\n"
                "}\n";
            spec.algorithm = algorithm;
            spec.backend = place.backend;
            spec.capacity = 100;
            INFO(describe(place) << ", " << algorithm);
            CHECK_THAT(refusal_of_sorter(context, spec), Contains("Sorter::Sorter") && Contains("does not compile") &&
                                                             Contains("by depth:3: ") && Contains("depth_of_b"));
            CHECK(context.driver().GetError() == GL_NO_ERROR);
            context.clear();
            // The message names the missing function.
            spec.order.comparison->glsl = "bool precedes_it(uvec2 a, uvec2 b) { return a.x < b.x; }\n";
            CHECK_THAT(refusal_of_sorter(context, spec), Contains("does not compile") && Contains("comes_before"));
            context.clear();
        }
    }
}

TEST_CASE("comparisons that no sort can take are refused", "[sorter]") {
    TestContext& context = clean_context(Tier::gl33);
    SortSpec spec;
    spec.order.comparison = comparison_of(8);
    spec.capacity = 10;
    const auto refusal_of = [&](const auto& change) {
        SortSpec changed = spec;
        change(changed);
        return refusal_of_sorter(context, changed);
    };
    CHECK_THAT(refusal_of([](SortSpec& s) { s.algorithm = "abisort"; }),
               Contains("Sorter::Sorter: abisort:fused takes no comparison; merge, sample, bitonic, odd-even, "
                        "periodic-balanced and pairwise do"));
    for (const std::uint32_t bytes : {0u, 2u, 6u, 20u})
        CHECK_THAT(refusal_of([&](SortSpec& s) { s.order.comparison->key_bytes = bytes; }),
                   Contains("depth, then material") && Contains(fmt::format("keys of {} bytes", bytes)) &&
                       Contains("4, 8, 12 or 16"));
    CHECK_THAT(refusal_of([](SortSpec& s) { s.order.comparison->glsl.clear(); }),
               Contains("depth, then material") && Contains("no GLSL") && Contains("fragment backend"));
    CHECK_THAT(refusal_of([](SortSpec& s) {
                   s.order.comparison = comparison_of(16);
                   s.output = Medium::texture;
               }),
               Contains("at most 12 bytes beside a payload"));
    // The GPU does not need the CPU's function.
    CHECK(refusal_of([](SortSpec& s) { s.order.comparison->host = nullptr; }) == "(nothing thrown)");
    context.require_clean("refused comparisons");
}

TEST_CASE("offsets and textures are those of a comparison's keys", "[sorter]") {
    TestContext& context = clean_context(Tier::gl33);
    struct Case {
        std::uint32_t key_bytes, multiple;
    };
    for (const Case& c : {Case{4, 4}, Case{8, 8}, Case{12, 4}, Case{16, 16}}) {
        SortSpec spec;
        spec.order.comparison = comparison_of(c.key_bytes);
        spec.payload = Payload::none();
        spec.algorithm = "bitonic";
        spec.backend = Backend::fragment;
        spec.capacity = 9;
        Sorter sorter(spec, context.get_proc_address());
        Caller caller(context.gl(), sorter);
        const Sample sample = make_sample(spec, demo::Distribution::uniform, 9, 1);
        SortArguments arguments = caller.load(sample);
        buffers_of(arguments).keys.offset = c.multiple / 2;
        CHECK_THROWS_WITH(sorter.sort(arguments), Contains(fmt::format("multiple of {} bytes", c.multiple)));
        buffers_of(arguments).keys.offset = 48;
        CHECK_THROWS_WITH(sorter.sort(arguments), Contains(fmt::format("with {} bytes", 9 * c.key_bytes)));
    }
    SortSpec spec;
    spec.order.comparison = comparison_of(12);
    spec.payload = Payload::none();
    spec.algorithm = "bitonic";
    spec.backend = Backend::fragment;
    spec.capacity = 9;
    spec.input = spec.output = Medium::texture;
    Sorter sorter(spec, context.get_proc_address());
    const TextureView shape = sorter.texture_for(9);
    const Words texels(std::size_t{4} * shape.width * shape.height);
    const CallerTexture narrow(context.gl(), shape, 2, texels);
    const CallerTexture wide(context.gl(), shape, 4, texels);
    CHECK_THROWS_WITH(sorter.sort({.input = narrow.view(), .output = wide.view(), .count = 9}),
                      Contains("input") && Contains("GL_RGBA32UI"));
    CHECK_THROWS_WITH(sorter.sort({.input = wide.view(), .output = narrow.view(), .count = 9}),
                      Contains("output") && Contains("GL_RGBA32UI"));
    context.require_clean("offsets and textures of comparisons");
}

}  // namespace
}  // namespace glsort::test
