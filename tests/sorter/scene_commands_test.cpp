#include "sorter/between_calls.h"
#include "sorter/scenes.h"
#include "support/random.h"

/// Commands of indirect draws, written for the visible items of a scene.

namespace glsort::test {
namespace {

using Catch::Contains;
using Kind = SceneCommand::Kind;

struct Expected {
    SceneCommand command;
    std::uint32_t multiplied;  ///< The word with the number of visible items.
    Words words;               ///< With 1 for each visible item.
};

const std::vector<Expected>& commands() {
    static const std::vector<Expected> all = {
        {{}, 0, {1, 1, 0, 0, 0}},
        {{.kind = Kind::arrays, .per_item = 6}, 0, {6, 1, 0, 0}},
        {{.kind = Kind::arrays, .per_item = 4, .instanced = true, .first = 8, .base_instance = 3}, 1, {4, 1, 8, 3}},
        {{.per_item = 3, .first = 12, .base_vertex = -7}, 0, {3, 1, 12, 0xfffffff9u, 0}},
        {{.per_item = 36, .instanced = true, .base_vertex = 5, .base_instance = 2}, 1, {36, 1, 0, 5, 2}}};
    return all;
}

TEST_CASE("commands of indirect draws follow the number of visible items", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        SceneSpec spec{.sources = {weighted(1500), weighted(900)}, .key = KeyType::u32, .backend = place.backend};
        spec.sources[1].gpu_count = true;
        for (const Expected& expected : commands())
            spec.commands.push_back(expected.command);
        SceneSorter sorter(spec, context.get_proc_address());
        for (const std::uint32_t hidden : {0u, 4u, 10u}) {
            const std::vector<std::uint32_t> counts = {static_cast<std::uint32_t>(random() % 1501), 1000};
            const std::vector<Filled> contents = {filled(1500, hidden, random), filled(900, hidden, random)};
            SceneCaller caller(context.gl(), spec, contents, counts);
            // All commands in one buffer, between two words that must not change.
            constexpr std::uint32_t mark = 77;
            const GLuint buffer = caller.buffer(Words(25, mark));
            std::uint64_t offset = 4;
            Words after{mark};
            const Words order = expected_order(spec, contents, counts);
            for (const Expected& expected : commands()) {
                caller.arguments.commands.push_back({buffer, offset});
                offset += command_bytes(expected.command.kind);
                Words words = expected.words;
                words[expected.multiplied] *= static_cast<std::uint32_t>(order.size());
                after.insert(after.end(), words.begin(), words.end());
            }
            after.push_back(mark);
            INFO(describe(place) << ", hidden " << hidden << " of 10");
            sorter.sort(caller.arguments);
            CHECK(caller.wrong(sorter, order, true) == "");
            REQUIRE(after.size() == 25);
            CHECK(caller.read({buffer, 0}, after.size()) == after);
            context.require_clean("commands of a scene");
        }
    }
}

TEST_CASE("commands that cannot be written are refused by name", "[scene]") {
    for (const Place& place : places_in_turn()) {
        TestContext& context = clean_context(place.tier);
        INFO(describe(place));
        const auto refusal = [&](const auto& change) {
            SceneSpec spec{.sources = {weighted(100)}, .key = KeyType::u32, .backend = place.backend};
            change(spec);
            return error_of([&] { SceneSorter(spec, context.get_proc_address()); });
        };
        CHECK_THAT(refusal([](SceneSpec& spec) { spec.commands.resize(17); }),
                   Contains("17 commands; the limit is 16"));
        CHECK_THAT(refusal([](SceneSpec& spec) {
                       spec.commands = {{}, {.per_item = 50'000'000}};
                   }),
                   Contains("commands[1].per_item 50000000 times 100 items exceeds the limit of 4294967295"));
        CHECK(refusal([](SceneSpec& spec) { spec.commands = {{.per_item = 50'000'000, .instanced = true}}; }) ==
              "(nothing thrown)");
        const SceneSpec spec{.sources = {weighted(100)},
                             .key = KeyType::u32,
                             .backend = place.backend,
                             .commands = {{}, {.kind = Kind::arrays}}};
        SceneSorter sorter(spec, context.get_proc_address());
        std::mt19937_64 random(1);
        SceneCaller caller(context.gl(), spec, {filled(100, 3, random)}, {100});
        const auto error = [&](const std::vector<BufferSlice>& slices) {
            caller.arguments.commands = slices;
            return error_of([&] { sorter.sort(caller.arguments); });
        };
        const GLuint buffer = caller.buffer(Words(9));
        CHECK_THAT(error({}), Contains("SceneSorter::sort: 0 commands are given; the specification has 2"));
        CHECK_THAT(error({{buffer, 0}, {buffer, 16}}), Contains("commands[1]") && Contains("commands[0]"));
        CHECK_THAT(error({{buffer, 2}, {buffer, 20}}), Contains("commands[0]") && Contains("multiple of 4"));
        CHECK_THAT(error({{buffer, 0}, {buffer, 24}}), Contains("commands[1]"));
        CHECK_THAT(error({{buffer, 0}, caller.arguments.order}), Contains("commands[1]") && Contains("order"));
        CHECK_THAT(error({{buffer, 0}, sorter.status()}), Contains("commands[1]") && Contains("status()"));
        CHECK(error({{buffer, 0}, {buffer, 20}}) == "(nothing thrown)");
        context.require_clean("commands that cannot be written");
    }
}

}  // namespace
}  // namespace glsort::test
