#include <fmt/format.h>

#include "sorter/scenes.h"
#include "support/errors.h"

/// Scenes that exceed what the compute backend reads and writes: bytes of storage blocks, and texture units.

namespace glsort::test {
namespace {

using Catch::Contains;

TEST_CASE("a scene whose sort exceeds a storage block takes fragment shaders by itself", "[scene]") {
    // Keys and items take 4 bytes each, and elements between ops take 8.
    constexpr std::uint32_t count = 94 * 128;
    constexpr GLint limit = 1 << 16;
    static_assert(4 * count < limit && 8 * count > limit);
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::compute) continue;
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        context.limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, limit);
        SceneSpec spec{.sources = {{.name = "numbers",
                                    .capacity = count,
                                    .inputs = {{.name = "number", .type = SceneInput::Type::u16, .components = 1}},
                                    .sort_key = "bool sort_key(uint element, out uint key) {\n"
                                                "    key = number_at(element).x;\n"
                                                "    return true;\n"
                                                "}\n"}},
                       .key = KeyType::u32,
                       .direction = Direction::ascending,
                       .algorithm = "merge"};
        SceneSorter sorter(spec, context.get_proc_address());
        CHECK(sorter.spec().backend == Backend::fragment);
        SceneCaller caller(context.gl(), spec);
        // The key of element i is i ^ 85, so item i of the order is i ^ 85, too.
        Words expected(count);
        Words numbers(count / 2);
        for (std::uint32_t i = 0; i < count; ++i) {
            expected[i] = i ^ 85u;
            numbers[i / 2] |= expected[i] << (16 * (i % 2));
        }
        caller.arguments.sources = {{.inputs = {{caller.buffer(numbers)}}, .count = count}};
        sorter.sort(caller.arguments);
        CHECK(caller.wrong(sorter, expected, false) == "");

        spec.backend = Backend::compute;
        CHECK_THAT(error_of([&] { SceneSorter(spec, context.get_proc_address()); }), Contains("(storage_bytes)"));
        context.unlimit();
        context.require_clean("a sort that exceeds a storage block");
    }
}

TEST_CASE("a scene whose input exceeds a storage block takes fragment shaders by itself", "[scene]") {
    constexpr std::uint32_t count = 1400;
    constexpr GLint limit = 1 << 14;
    static_assert(8 * count < limit && 12 * count > limit);
    std::mt19937_64 random(7);
    const std::vector<Filled> contents = {filled(count, 3, random)};
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::compute) continue;
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        context.limit(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, limit);
        SceneSpec spec{.sources = {weighted(count)}, .key = KeyType::u32, .algorithm = "merge"};
        SceneCaller caller(context.gl(), spec, contents, {count});
        SceneSorter sorter(spec, context.get_proc_address());
        CHECK(sorter.spec().backend == Backend::fragment);
        sorter.sort(caller.arguments);
        CHECK(caller.wrong(sorter, expected_order(spec, contents, {count}), false) == "");

        spec.backend = Backend::compute;
        const auto sort = [&] { SceneSorter(spec, context.get_proc_address()).sort(caller.arguments); };
        CHECK_THAT(error_of(sort), Contains("(storage_bytes)"));
        context.unlimit();
        context.require_clean("an input that exceeds a storage block");
    }
}

/// A source with inputs in textures alone.
SceneSource in_textures(std::size_t inputs) {
    SceneSource source{
        .name = "many", .capacity = 100, .sort_key = "bool sort_key(uint element, out float key) {\n    key = 0.0;\n"};
    for (std::size_t i = 0; i < inputs; ++i) {
        source.inputs.push_back({.name = fmt::format("input{}", i), .components = 1, .medium = Medium::texture});
        source.sort_key += fmt::format("    key += input{}_at(element).x;\n", i);
    }
    source.sort_key += "    return true;\n}\n";
    return source;
}

TEST_CASE("on compute, a source reads as many textures as a call saves units", "[scene]") {
    for (const Place& place : places_in_turn()) {
        if (place.backend != Backend::compute) continue;
        INFO(describe(place));
        TestContext& context = clean_context(place.tier);
        const auto refusal = [&](const SceneSource& source) {
            return error_of(
                [&] { SceneSorter({.sources = {source}, .backend = Backend::compute}, context.get_proc_address()); });
        };
        CHECK(refusal(in_textures(16)) == "(nothing thrown)");
        CHECK_THAT(refusal(in_textures(17)), Contains("source 0 (many): 17 inputs exceed the limit of 16; of 16 "
                                                      "textures, the library takes 0"));
        SceneSource counted = in_textures(16);
        counted.gpu_count = true;
        counted.gpu_count_medium = Medium::texture;
        CHECK_THAT(refusal(counted), Contains("16 inputs exceed the limit of 15; of 16 textures, the library takes 1"));
        context.require_clean("inputs in many textures");
    }
}

TEST_CASE("the numbers of a camera take one allocation", "[scene]") {
    const std::array<float, 16> unit{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const View view{.view = unit, .projection = unit, .viewport_height = 100};
    // Room for the most numbers, from the first one on.
    CHECK(view_values({}, view).capacity() == 10);
    const ViewKeys most{.measure = ViewKeys::Measure::distance, .radius = "radius", .small = true};
    const auto values = view_values(most, view);
    CHECK(values.size() == 10);
    CHECK(values.capacity() == 10);
}

}  // namespace
}  // namespace glsort::test
