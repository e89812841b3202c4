#include <fmt/format.h>
#include <glad/gl.h>
#include <glsort/scene.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "plan/reference_sort.h"
#include "sorter/sorting.h"
#include "support/gl_buffer.h"
#include "support/random.h"

/// A scene is sorted as on the CPU: keys from GLSL, culling, counts, several sources.

using namespace glsort;
using namespace glsort::test;

namespace {

/// Draws elements whose second number, the tag, is even. The first number, the weight, is the key.
constexpr const char* even_weights = R"(bool sort_key(uint element, out uint key) {
    key = data_at(element).x;
    return data_at(element).y % 2u == 0u;
})";

bool even_weights_host(const SceneElements& elements, std::uint32_t element, std::array<std::uint32_t, 2>& key) {
    key[0] = elements.uints(0, element)[0];
    return elements.uints(0, element)[1] % 2 == 0;
}

SceneSource weighted(std::uint32_t capacity) {
    return {.name = "weighted",
            .capacity = capacity,
            .inputs = {{.name = "data", .type = SceneInput::Type::u32, .components = 2, .stride = 12, .offset = 4}},
            .sort_key = even_weights,
            .host = even_weights_host};
}

struct Filled {
    Words weights;
    Words tags;
};

Filled filled(std::uint32_t capacity, std::uint32_t hidden_of_ten, std::mt19937_64& random) {
    Filled filled{Words(std::max(capacity, 1u)), Words(std::max(capacity, 1u))};
    for (std::uint32_t& weight : filled.weights)
        weight = static_cast<std::uint32_t>(random() % 1000);
    for (std::uint32_t& tag : filled.tags)
        tag = random() % 10 < hidden_of_ten ? 1 : 0;
    return filled;
}

/// The item numbers of the visible elements in their order.
Words expected_order(const SceneSpec& spec, const std::vector<Filled>& contents,
                     const std::vector<std::uint32_t>& counts) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> visible;
    for (std::size_t source = 0; source < contents.size(); ++source)
        for (std::uint32_t i = 0; i < std::min(counts[source], spec.sources[source].capacity); ++i)
            if (contents[source].tags[i] % 2 == 0)
                visible.emplace_back(contents[source].weights[i], base_of(spec.sources, source) + i);
    std::stable_sort(visible.begin(), visible.end(), [&](const auto& a, const auto& b) {
        return spec.direction == Direction::ascending ? a.first < b.first : a.first > b.first;
    });
    Words order;
    for (const auto& [weight, item] : visible)
        order.push_back(item);
    return order;
}

/// The caller's buffers for a scene of weighted sources.
class SceneCaller {
  public:
    SceneCaller(const GladGLContext& gl, const SceneSpec& spec, const std::vector<Filled>& contents,
                const std::vector<std::uint32_t>& counts)
        : gl_(gl) {
        for (std::size_t i = 0; i < contents.size(); ++i) {
            SceneArguments::Source source;
            Words data{0, 0};
            for (std::size_t j = 0; j < contents[i].weights.size(); ++j)
                data.insert(data.end(), {contents[i].weights[j], contents[i].tags[j], 0});
            source.inputs = {{buffer(data), 4}};
            if (spec.sources[i].gpu_count)
                source.gpu_count = {buffer({7, counts[i]}), 4};
            else
                source.count = counts[i];
            arguments.sources.push_back(std::move(source));
        }
        items_ = base_of(spec.sources, spec.sources.size());
        arguments.order = {buffer(Words(std::size_t{items_} + 2, mark)), 4};
    }
    ~SceneCaller() { gl_.DeleteBuffers(static_cast<GLsizei>(names_.size()), names_.data()); }
    SceneCaller(const SceneCaller&) = delete;
    SceneCaller& operator=(const SceneCaller&) = delete;

    Words read(const BufferSlice& slice, std::size_t words) const {
        Words out(words);
        gl_.BindBuffer(GL_COPY_READ_BUFFER, slice.name);
        const void* mapped = gl_.MapBufferRange(GL_COPY_READ_BUFFER, static_cast<GLintptr>(slice.offset),
                                                static_cast<GLsizeiptr>(4 * words), GL_MAP_READ_BIT);
        REQUIRE(mapped != nullptr);
        std::copy_n(static_cast<const std::uint32_t*>(mapped), words, out.begin());
        gl_.UnmapBuffer(GL_COPY_READ_BUFFER);
        gl_.BindBuffer(GL_COPY_READ_BUFFER, 0);
        return out;
    }
    /// Nothing, or what is wrong with the order and the status.
    std::string wrong(const SceneSorter& sorter, const Words& expected, bool clamped) const {
        const Words status = read(sorter.status(), 4);
        if (status != Words{static_cast<std::uint32_t>(expected.size()), clamped ? 1u : 0u, 0, 0})
            return fmt::format("status {} {} {} {} instead of {} {}", status[0], status[1], status[2], status[3],
                               expected.size(), clamped);
        const Words all = read({arguments.order.name, 0}, std::size_t{items_} + 2);
        if (all.front() != mark || all.back() != mark) return "a word beside the order changed";
        for (std::size_t i = 0; i < expected.size(); ++i)
            if (all[i + 1] != expected[i])
                return fmt::format("item {} of the order is {} instead of {}", i, all[i + 1], expected[i]);
        return "";
    }

    SceneArguments arguments;

  private:
    static constexpr std::uint32_t mark = 0x2e262799u;

    GLuint buffer(const Words& words) {
        GLuint name = 0;
        gl_.GenBuffers(1, &name);
        gl_.BindBuffer(GL_COPY_WRITE_BUFFER, name);
        gl_.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(4 * words.size()), words.data(), GL_DYNAMIC_COPY);
        gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
        names_.push_back(name);
        return name;
    }

    const GladGLContext& gl_;
    std::vector<GLuint> names_;
    std::uint32_t items_ = 0;
};

}  // namespace

TEST_CASE("a scene of one source is sorted, whatever its count and whatever is visible", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : all_places()) {
        TestContext& context = clean_context(place.tier);
        for (const std::uint32_t capacity : {1u, 2u, 31u, 1023u, 1024u, 1025u, 5000u})
            for (const bool gpu_count : {false, true}) {
                SceneSpec spec{.sources = {weighted(capacity)}, .key = KeyType::u32, .backend = place.backend};
                spec.sources[0].gpu_count = gpu_count;
                spec.direction = capacity % 2 == 0 ? Direction::ascending : Direction::descending;
                SceneSorter sorter(spec, context.get_proc_address());
                for (const std::uint32_t hidden : {0u, 7u, 10u})
                    for (const std::uint32_t count : {0u, 1u, capacity / 2, capacity, capacity + 9}) {
                        if (count > capacity && !gpu_count) continue;
                        INFO(describe(place) << ", capacity " << capacity << ", count " << count << ", hidden "
                                             << hidden << " of 10, gpu_count " << gpu_count);
                        const std::vector<Filled> contents = {filled(capacity, hidden, random)};
                        SceneCaller caller(context.gl(), spec, contents, {count});
                        sorter.sort(caller.arguments);
                        CHECK(caller.wrong(sorter, expected_order(spec, contents, {count}), count > capacity) == "");
                        context.require_clean("a scene");
                    }
            }
    }
}

TEST_CASE("several sources become one order", "[scene]") {
    const Seed seed;
    std::mt19937_64 random(seed.value());
    for (const Place& place : all_places()) {
        TestContext& context = clean_context(place.tier);
        for (const std::size_t sources : {std::size_t{2}, std::size_t{5}, max_scene_sources}) {
            SceneSpec spec{.sources = {}, .key = KeyType::u32, .backend = place.backend};
            std::vector<Filled> contents;
            std::vector<std::uint32_t> counts;
            bool clamped = false;
            for (std::size_t i = 0; i < sources; ++i) {
                // Sources of 0 elements, too.
                const auto capacity = static_cast<std::uint32_t>(i % 4 == 1 ? 0 : random() % 3000);
                spec.sources.push_back(weighted(capacity));
                spec.sources.back().gpu_count = i % 3 == 0;
                const bool above = i % 6 == 0;
                counts.push_back(static_cast<std::uint32_t>(above ? capacity + 5 : random() % (capacity + 1)));
                clamped = clamped || (above && capacity > 0);
                contents.push_back(filled(capacity, 4, random));
            }
            INFO(describe(place) << ", " << sources << " sources");
            SceneSorter sorter(spec, context.get_proc_address());
            SceneCaller caller(context.gl(), spec, contents, counts);
            for (int repeat = 0; repeat < 2; ++repeat) {
                sorter.sort(caller.arguments);
                CHECK(caller.wrong(sorter, expected_order(spec, contents, counts), clamped) == "");
                context.require_clean("a scene of several sources");
            }
        }
    }
}
