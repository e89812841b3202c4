#include <glsort/plan/scene/key_form.h>

#include <bit>
#include <cmath>
#include <limits>

#include "sorter/between_calls.h"
#include "sorter/scenes.h"
#include "support/random.h"

/// Keys of fewer bits: the order is that of the codes, and stable.

namespace glsort::test {
namespace {

using Catch::Contains;
using Scale = SceneQuantisation::Scale;

/// Sources whose weights are the bits of depths.
SceneSpec depths(const Place& place, std::uint32_t first, std::uint32_t second) {
    SceneSpec spec{.sources = {weighted(first), weighted(second)}, .backend = place.backend};
    for (SceneSource& source : spec.sources)
        source.sort_key =
            "bool sort_key(uint element, out float depth) {\n"
            "    depth = uintBitsToFloat(data_at(element).x);\n"
            "    return data_at(element).y % 2u == 0u;\n"
            "}\n";
    return spec;
}

/// Depths that a reciprocal scale needs no rounding for, and such that lie outside or are no numbers.
Filled some_depths(std::uint32_t capacity, std::mt19937_64& random) {
    Filled contents = filled(capacity, 3, random);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const std::array<float, 8> special{-3.0f, 0.0f, infinity, -infinity, 1e30f, 0.25f, nan, -nan};
    for (std::uint32_t& weight : contents.weights) {
        const float depth =
            random() % 8 == 0 ? special[random() % special.size()]
                              : std::ldexp(1.0f + static_cast<float>(random() % 2), 1 + static_cast<int>(random() % 6));
        weight = std::bit_cast<std::uint32_t>(depth);
    }
    return contents;
}

/// The order by the codes that the library specifies.
Words expected_by_codes(SceneSpec spec, const std::vector<Filled>& contents, const std::vector<std::uint32_t>& counts,
                        float nearest, float farthest) {
    const scene::KeyForm form = scene::key_form(spec);
    const scene::DepthRange range = scene::depth_range(*spec.quantisation, nearest, farthest);
    std::vector<Filled> codes = contents;
    for (Filled& source : codes)
        for (std::uint32_t& weight : source.weights)
            weight = code_of_depth(form, range, std::bit_cast<float>(weight));
    spec.direction = Direction::ascending;  // Codes of descending depths ascend.
    return expected_order(spec, codes, counts);
}

TEST_CASE("quantised depths sort by their codes, in both directions and scales", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        for (const Scale scale : {Scale::linear, Scale::reciprocal})
            for (const Direction direction : {Direction::ascending, Direction::descending})
                // 2^12 items: keys of up to 20 bits share a word with their item.
                for (const std::uint32_t bits : {8u, 16u, 20u, 21u, 32u}) {
                    SceneSpec spec = depths(place, 2500, 1500);
                    spec.direction = direction;
                    spec.quantisation = SceneQuantisation{.scale = scale, .key_bits = bits};
                    SceneSorter sorter(spec, context.get_proc_address());
                    const std::vector<Filled> contents = {some_depths(2500, random), some_depths(1500, random)};
                    SceneCaller caller(context.gl(), spec, contents, {2400, 1500});
                    caller.arguments.nearest = 1.0f;
                    caller.arguments.farthest = 128.0f;
                    INFO(describe(place) << ", scale " << static_cast<int>(scale) << ", " << to_string(direction)
                                         << ", " << bits << " bits, " << sorter.spec().algorithm);
                    for (int repeat = 0; repeat < 2; ++repeat) {
                        sorter.sort(caller.arguments);
                        CHECK(caller.wrong(sorter,
                                           expected_by_codes(spec, contents, {2400, 1500}, caller.arguments.nearest,
                                                             caller.arguments.farthest),
                                           false) == "");
                        caller.arguments.farthest = 32.0f;
                    }
                    context.require_clean("quantised depths");
                }
    }
}

TEST_CASE("every algorithm that takes a count on the GPU sorts packed keys", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        const bool has_subgroups = describe_context(context.get_proc_address()).limits.subgroup_size != 0;
        for (const Algorithm& algorithm : algorithms())
            for (const Algorithm::Variant& variant : algorithm.variants) {
                if (!variant.takes.gpu_count || (place.backend == Backend::fragment && !variant.takes.fragment))
                    continue;
                SceneSpec spec = depths(place, 700, 324);
                spec.algorithm = algorithm.name + ":" + variant.name;
                spec.quantisation = SceneQuantisation{.key_bits = 16};
                INFO(describe(place) << ", " << spec.algorithm);
                if (variant.name == "one-sweep" && !has_subgroups) {
                    leave_out("no subgroups");
                    continue;
                }
                std::optional<SceneSorter> sorter;
                sorter.emplace(spec, context.get_proc_address());
                const std::vector<Filled> contents = {some_depths(700, random), some_depths(324, random)};
                SceneCaller caller(context.gl(), spec, contents, {700, 300});
                caller.arguments.nearest = 0.0f;
                caller.arguments.farthest = 64.0f;
                sorter->sort(caller.arguments);
                CHECK(caller.wrong(*sorter, expected_by_codes(spec, contents, {700, 300}, 0.0f, 64.0f), false) == "");
                context.require_clean("packed keys");
            }
    }
}

TEST_CASE("quantisation spends its codes evenly, and clamps", "[scene]") {
    for (const std::uint32_t bits : {8u, 16u, 24u, 32u}) {
        SceneSpec spec{.sources = {{.capacity = 10}}, .direction = Direction::ascending};
        spec.quantisation = SceneQuantisation{.key_bits = bits};
        const scene::KeyForm form = scene::key_form(spec);
        const scene::DepthRange range = scene::depth_range(*spec.quantisation, 1.0f, 3.0f);
        const std::uint32_t most = 0xffffffffu >> (32 - bits);
        CHECK(code_of_depth(form, range, 1.0f) == 0);
        CHECK(code_of_depth(form, range, -7.0f) == 0);
        CHECK(code_of_depth(form, range, std::nanf("")) == 0);
        CHECK(code_of_depth(form, range, 3.0f) == most);
        CHECK(code_of_depth(form, range, 1e30f) == most);
        CHECK(code_of_depth(form, range, 2.0f) == most / 2 + 1);
        CHECK(code_of_depth(form, range, 1.5f) == most / 4 + 1);
        spec.quantisation->scale = Scale::reciprocal;
        const scene::DepthRange reciprocal = scene::depth_range(*spec.quantisation, 1.0f, 4.0f);
        CHECK(code_of_depth(scene::key_form(spec), reciprocal, 1.6f) ==
              Approx(static_cast<double>(most) / 2).epsilon(1e-5).margin(1));
        spec.direction = Direction::descending;
        CHECK(code_of_depth(scene::key_form(spec), reciprocal, 4.0f) == 0);
        CHECK(code_of_depth(scene::key_form(spec), reciprocal, 1.0f) == most);
    }
    // 2^16 items and 16 bits fill a word; one item more does not fit.
    SceneSpec spec{.sources = {{.capacity = 1u << 16}}};
    spec.quantisation = SceneQuantisation{.key_bits = 16};
    CHECK(scene::key_form(spec).item_bits == 16);
    spec.sources[0].capacity += 1;
    CHECK_FALSE(scene::key_form(spec).packed());
}

TEST_CASE("wrong quantisations are refused by name", "[scene]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        const auto refusal = [&](const auto& change) {
            SceneSpec spec = depths(place, 10, 10);
            spec.quantisation = SceneQuantisation{};
            change(spec);
            return error_of([&] { SceneSorter(spec, context.get_proc_address()); });
        };
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.quantisation->key_bits = 7; }),
                   Contains("quantisation.key_bits 7; it must be 8 to 32"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.quantisation->key_bits = 33; }), Contains("key_bits 33"));
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.key = KeyType::u32; }),
                   Contains("key u32; with quantisation it must be f32"));
        SceneSpec spec = depths(place, 10, 10);
        spec.quantisation = SceneQuantisation{.scale = Scale::reciprocal};
        SceneSorter sorter(spec, context.get_proc_address());
        std::mt19937_64 random(1);
        SceneCaller caller(context.gl(), spec, {some_depths(10, random), some_depths(10, random)}, {10, 10});
        const auto error = [&](float nearest, float farthest) {
            caller.arguments.nearest = nearest;
            caller.arguments.farthest = farthest;
            return error_of([&] { sorter.sort(caller.arguments); });
        };
        CHECK_THAT(error(0.0f, 0.0f), Contains("nearest 0 and farthest 0 must be finite, the nearest below"));
        CHECK_THAT(error(1.0f, std::numeric_limits<float>::infinity()), Contains("must be finite"));
        CHECK_THAT(error(-1.0f, 1.0f), Contains("nearest -1; with reciprocal depths it must be above 0"));
        CHECK(error(1.0f, 2.0f) == "(nothing thrown)");
        // The reciprocal of the nearest depth is infinite, and those of the next two depths are equal.
        CHECK_THAT(error(1e-39f, 500.0f), Contains("farthest 500 are too close or too far apart"));
        CHECK_THAT(error(2.0f - 0x1p-22f, 2.0f - 0x1p-23f), Contains("too close"));
        spec.quantisation->scale = Scale::linear;
        SceneSorter linear(spec, context.get_proc_address());
        caller.arguments.nearest = -3e38f;
        caller.arguments.farthest = 3e38f;
        CHECK_THAT(error_of([&] { linear.sort(caller.arguments); }), Contains("too far apart"));
        context.require_clean("wrong quantisations");
    }
}

}  // namespace
}  // namespace glsort::test
