#include <glsort/scene.h>
#include <glsort/stream/kernel.h>

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "support/errors.h"
#include "support/random.h"

/// Scenes in host memory, against std::stable_sort.

namespace glsort::test {
namespace {

using Catch::Contains;
using Words = std::vector<std::uint32_t>;

/// Two words an element: the key, and whether the element is drawn.
SceneSource pairs_of(std::uint32_t capacity, bool gpu_count = false, bool in_texture = false) {
    SceneSource source{
        .name = "pairs",
        .capacity = capacity,
        .gpu_count = gpu_count,
        .inputs = {{.name = "pair", .type = SceneInput::Type::u32, .components = 2}},
        .sort_key =
            "bool sort_key(uint element, out uint key) {\n"
            "    key = pair_at(element).x;\n"
            "    return pair_at(element).y != 0u;\n"
            "}\n",
        .host = [](const SceneElements& elements, std::uint32_t element, std::array<std::uint32_t, 2>& key) {
            key[0] = elements.uints(0, element)[0];
            return elements.uints(0, element)[1] != 0;
        }};
    if (in_texture) source.inputs[0].medium = Medium::texture;
    return source;
}

/// A scene and its inputs.
struct SceneCase {
    SceneSpec spec;
    std::vector<Words> pairs;
    CpuSceneArguments arguments;

    /// Visible items in their order, by a stable sort.
    Words expected() const {
        Words keys;
        Words order;
        for (std::size_t source = 0; source < spec.sources.size(); ++source) {
            const std::uint32_t base = base_of(spec.sources, source);
            keys.resize(base + spec.sources[source].capacity);
            const std::uint32_t count = std::min(arguments.sources[source].count, spec.sources[source].capacity);
            for (std::uint32_t i = 0; i < count; ++i) {
                keys[base + i] = pairs[source][2 * i];
                if (pairs[source][2 * i + 1] != 0) order.push_back(base + i);
            }
        }
        const bool ascending = spec.direction == Direction::ascending;
        std::ranges::stable_sort(
            order, [&](std::uint32_t a, std::uint32_t b) { return ascending ? keys[a] < keys[b] : keys[a] > keys[b]; });
        return order;
    }
};

/// `visible`: of 4 elements.
SceneCase scene_case(SceneSpec spec, std::uint32_t visible, std::mt19937_64& random) {
    SceneCase sample{.spec = std::move(spec), .pairs = {}, .arguments = {}};
    for (const SceneSource& source : sample.spec.sources) {
        Words words;
        for (std::uint32_t i = 0; i < source.capacity; ++i) {
            words.push_back(static_cast<std::uint32_t>(random() % (1 + source.capacity / 2)));
            words.push_back(random() % 4 < visible ? 1 : 0);
        }
        sample.pairs.push_back(words);
    }
    for (std::size_t i = 0; i < sample.pairs.size(); ++i) {
        const std::uint32_t capacity = sample.spec.sources[i].capacity;
        sample.arguments.sources.push_back(
            {.inputs = {sample.pairs[i]}, .count = static_cast<std::uint32_t>(random() % (capacity + 1))});
        if (random() % 2 == 0) sample.arguments.sources.back().count = capacity;
    }
    return sample;
}

SceneSpec scene_of_pairs(Backend backend, const std::vector<std::uint32_t>& capacities, std::mt19937_64& random) {
    SceneSpec spec{.key = KeyType::u32, .backend = backend};
    spec.direction = random() % 2 == 0 ? Direction::ascending : Direction::descending;
    for (const std::uint32_t capacity : capacities)
        spec.sources.push_back(pairs_of(capacity, random() % 2 == 0, random() % 3 == 0));
    return spec;
}

}  // namespace

TEST_CASE("scenes in host memory are sorted as std::stable_sort sorts them", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Backend backend : {Backend::compute, Backend::fragment})
        for (const std::vector<std::uint32_t>& capacities :
             {Words{1}, Words{2}, Words{5, 0, 3}, Words{1023}, Words{1024, 1, 1025}, Words{300, 700, 2000, 1}})
            for (const std::uint32_t visible : {0u, 1u, 3u, 4u})
                for (const char* algorithm : {"automatic", "merge", "bitonic:step"}) {
                    SceneSpec spec = scene_of_pairs(backend, capacities, random);
                    spec.algorithm = algorithm;
                    const SceneCase sample = scene_case(spec, visible, random);
                    INFO(to_string(backend) << ", " << capacities.size() << " sources, the first of " << capacities[0]
                                            << ", " << visible << " of 4 visible, " << algorithm);
                    CpuSceneSorter sorter(spec);
                    sorter.sort(sample.arguments);
                    const Words expected = sample.expected();
                    CHECK(sorter.visible() == expected.size());
                    CHECK(sorter.order() == expected);
                }
}

TEST_CASE("a count above the capacity of a source is clamped in host memory, or refused", "[exec_cpu]") {
    std::mt19937_64 random(1);
    for (const Backend backend : {Backend::compute, Backend::fragment}) {
        SceneSpec spec{.key = KeyType::u32, .backend = backend};
        spec.sources = {pairs_of(100, true), pairs_of(50)};
        SceneCase sample = scene_case(spec, 4, random);
        CpuSceneSorter sorter(spec);
        sample.arguments.sources[0].count = 1000;
        sorter.sort(sample.arguments);
        CHECK(sorter.order() == sample.expected());
        const Words before = sorter.order();
        sample.arguments.sources[1].count = 51;
        CHECK_THAT(error_of([&] { sorter.sort(sample.arguments); }),
                   Contains("CpuSceneSorter::sort: sources[1].count 51 exceeds the capacity 50"));
        CHECK(sorter.order() == before);
    }
}

TEST_CASE("a scene for compute is refused where groups have no invocations", "[exec_cpu]") {
    Limits limits;
    limits.invocations = 0;
    SceneSpec spec{.key = KeyType::u32, .backend = Backend::compute};
    spec.sources = {pairs_of(10)};
    CHECK_THAT(error_of([&] { CpuSceneSorter(spec, limits); }),
               Contains("backend compute needs groups of invocations; the limit of a group is 0 (invocations)"));
    spec.backend = Backend::fragment;
    CHECK_NOTHROW(CpuSceneSorter(spec, limits));
}

TEST_CASE("a scene in host memory makes all results", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const auto& [backend, corners] :
         {std::pair{Backend::compute, 3u}, {Backend::fragment, 3u}, {Backend::compute, 1u}, {Backend::fragment, 2u}}) {
        SceneSpec spec{.key = KeyType::u32, .backend = backend};
        spec.sources = {pairs_of(400), pairs_of(333)};
        spec.triangles = SceneTriangles{.type = SceneInput::Type::u16, .indices = 3000, .corners = corners};
        spec.texture = SceneTexture{.form = SceneTexture::Form::keys_and_items};
        spec.commands = {{.per_item = 3}};
        spec.results = {{.values = {"more"},
                         .sort_result = "void sort_result(uint item, out uvec4 words[1]) {\n"
                                        "    words[0] = uvec4(item, uint(more().x), 0u, 7u);\n"
                                        "}\n",
                         .host = [](const SceneElements& elements, std::uint32_t item,
                                    std::array<std::array<std::uint32_t, 4>, 4>& words) {
                             words[0] = {item, static_cast<std::uint32_t>(elements.value(0)[0]), 0, 7};
                         }}};
        SceneCase sample = scene_case(spec, 3, random);
        Words indices(1500);
        for (std::uint32_t& word : indices)
            word = static_cast<std::uint32_t>(random());
        sample.arguments.indices = indices;
        sample.arguments.sources[1].first_index = 1200;
        sample.arguments.sources[1].base_vertex = -5;
        sample.arguments.results = {{.inputs = {}, .values = {{9, 0, 0, 0}}}};

        CpuSceneSorter sorter(spec);
        sorter.begin(sample.arguments);
        std::size_t steps = 0;
        OpTrace trace;
        while (sorter.step(trace)) {
            ++steps;
            CHECK_FALSE(trace.touches.empty());
        }
        CHECK(steps == sorter.program().ops.size());
        CHECK(sorter.steps_done() == steps);

        const Words expected = sample.expected();
        const StreamProgram& program = sorter.program();
        CHECK(sorter.order() == expected);
        CHECK(sorter.read(program.stream("command_0"))[0] == 3 * expected.size());
        const Words order = sorter.read(program.stream(backend == Backend::compute ? "items" : "order"));
        const Words triangles = sorter.read(program.stream("triangles"));
        const Words texture = sorter.read(program.stream("texture"));
        const Words result = sorter.read(program.stream("result_0"));
        const auto index = [&](std::uint32_t number) { return indices[number / 2] >> 16 * (number % 2) & 0xffff; };
        for (std::size_t place = 0; place < expected.size(); ++place) {
            const std::uint32_t item = expected[place];
            const bool second = item >= 400;
            const std::uint32_t first = second ? 1200 + corners * (item - 400) : corners * item;
            CHECK(order[place] == item);
            for (std::uint32_t corner = 0; corner < corners; ++corner)
                CHECK(triangles[corners * place + corner] == index(first + corner) - (second ? 5 : 0));
            CHECK(texture[2 * place] == sample.pairs[second ? 1 : 0][2 * (second ? item - 400 : item)]);
            CHECK(texture[2 * place + 1] == item);
            CHECK(Words(result.begin() + static_cast<std::ptrdiff_t>(4 * place),
                        result.begin() + static_cast<std::ptrdiff_t>(4 * place + 4)) == Words{item, 9, 0, 7});
        }
    }
}

TEST_CASE("quantised keys in host memory are sorted by their codes, in one word where they fit", "[exec_cpu]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Backend backend : {Backend::compute, Backend::fragment})
        for (const std::uint32_t key_bits : {8u, 16u, 30u})
            for (const Direction direction : {Direction::ascending, Direction::descending}) {
                SceneSpec spec{.direction = direction,
                               .backend = backend,
                               .quantisation = SceneQuantisation{.key_bits = key_bits}};
                spec.sources = {{.name = "depths",
                                 .capacity = 1500,
                                 .inputs = {{.name = "depth", .components = 1}},
                                 .sort_key = "bool sort_key(uint element, out float key) {\n"
                                             "    key = depth_at(element).x;\n"
                                             "    return true;\n"
                                             "}\n",
                                 .host = [](const SceneElements& elements, std::uint32_t element,
                                            std::array<std::uint32_t, 2>& key) {
                                     key[0] = std::bit_cast<std::uint32_t>(elements.floats(0, element)[0]);
                                     return true;
                                 }}};
                // Whole depths from 0 to 255 of 0 to 256 are multiples of every step.
                Words depths(1500);
                for (std::uint32_t& depth : depths)
                    depth = std::bit_cast<std::uint32_t>(static_cast<float>(random() % 256));
                Words expected(1500);
                std::iota(expected.begin(), expected.end(), 0u);
                std::ranges::stable_sort(expected, [&](std::uint32_t a, std::uint32_t b) {
                    const auto [x, y] = std::array{std::bit_cast<float>(depths[a]), std::bit_cast<float>(depths[b])};
                    return direction == Direction::ascending ? x < y : x > y;
                });
                INFO(to_string(backend) << ", " << key_bits << " bits, " << to_string(direction));
                CpuSceneSorter sorter(spec);
                sorter.sort({.sources = {{.inputs = {depths}, .count = 1500}}, .nearest = 0, .farthest = 256});
                CHECK(sorter.order() == expected);
            }
}

TEST_CASE("misuse of a scene in host memory is refused", "[exec_cpu]") {
    SceneSpec spec{.key = KeyType::u32};
    spec.sources = {pairs_of(10)};
    SceneSpec silent = spec;
    silent.sources[0].host = nullptr;
    CHECK_THAT(error_of([&] { CpuSceneSorter{silent}; }),
               Contains("CpuSceneSorter::CpuSceneSorter: source pairs has no host function"));
    CHECK_THAT(error_of([] { CpuSceneSorter{SceneSpec{}}; }), Contains("0 sources; there must be 1 to 64"));

    CpuSceneSorter sorter(spec);
    CHECK(sorter.spec().backend == Backend::compute);
    CHECK(sorter.program().stream("source_0.pair") == 0);
    CHECK_FALSE(sorter.step());
    CHECK_THAT(error_of([&] { sorter.read(0); }), Contains("CpuSceneSorter::read: no sort has begun"));
    CHECK_THAT(error_of([&] { sorter.order(); }),
               Contains("CpuSceneSorter::order: the sort has ops that have not run"));
    CHECK_THAT(error_of([&] { sorter.begin({}); }),
               Contains("CpuSceneSorter::begin: sources has 0 entries; the specification has 1"));
    const Words words(19);
    CHECK_THAT(error_of([&] { sorter.begin({.sources = {{.inputs = {words}, .count = 10}}}); }),
               Contains("sources[0].inputs[0] (pair) has 19 words; the elements take 20"));
    CHECK_NOTHROW(sorter.begin({.sources = {{.inputs = {words}, .count = 9}}}));
    CHECK_NOTHROW(sorter.read(0));
    CHECK_THAT(error_of([&] { sorter.read(99); }), Contains("CpuSceneSorter::read: stream 99 of "));
    CHECK_THAT(error_of([&] { sorter.begin({.sources = {{.inputs = {}, .count = 1}}}); }),
               Contains("sources[0].inputs has 0 spans; the specification has 1"));
    CHECK_THAT(error_of([&] { sorter.begin({.sources = {{}}, .nearest = 1}); }),
               Contains("nearest 1 and farthest 0 are given, but the specification was made without quantisation"));
}

}  // namespace glsort::test
