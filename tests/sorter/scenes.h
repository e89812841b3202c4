#pragma once

#include <fmt/format.h>
#include <glad/gl.h>
#include <glsort/scene.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sorter/sorting.h"
#include "support/errors.h"

/// Common parts of the tests of scenes: sources, the caller's objects, and the order that a CPU finds.

namespace glsort::test {

/// Draws elements whose second number, the tag, is even. The first number, the weight, is the key.
inline constexpr const char* even_weights = R"(bool sort_key(uint element, out uint key) {
    key = data_at(element).x;
    return data_at(element).y % 2u == 0u;
})";

inline bool even_weights_host(const SceneElements& elements, std::uint32_t element, std::array<std::uint32_t, 2>& key) {
    key[0] = elements.uints(0, element)[0];
    return elements.uints(0, element)[1] % 2 == 0;
}

inline SceneSource weighted(std::uint32_t capacity) {
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

inline Filled filled(std::uint32_t capacity, std::uint32_t hidden_of_ten, std::mt19937_64& random) {
    Filled filled{Words(std::max(capacity, 1u)), Words(std::max(capacity, 1u))};
    for (std::uint32_t& weight : filled.weights)
        weight = static_cast<std::uint32_t>(random() % 1000);
    for (std::uint32_t& tag : filled.tags)
        tag = random() % 10 < hidden_of_ten ? 1 : 0;
    return filled;
}

/// The item numbers of the visible elements in their order.
inline Words expected_order(const SceneSpec& spec, const std::vector<Filled>& contents,
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

/// A result of one vector for each visible item: the number of the item, four times.
inline SceneResult item_numbers() {
    return {.name = "item numbers",
            .sort_result = "void sort_result(uint item, out uvec4 words[1]) { words[0] = uvec4(item); }\n"};
}

/// The names of the ops of a call, in their order: keys, sort, and what follows the sort.
inline std::vector<std::string> op_names(const SceneSorter& sorter) {
    std::vector<std::string> names;
    const auto add = [&names](const StreamProgram& program) {
        for (const Op& op : program.ops)
            names.push_back(describe(op));
    };
    add(sorter.key_program());
    add(sorter.sort_program());
    add(sorter.sink_program());
    return names;
}

/// The caller's buffers for a scene of weighted sources.
class SceneCaller {
  public:
    /// With a buffer for the order of this scene. `arguments` has no sources yet.
    SceneCaller(const GladGLContext& gl, const SceneSpec& spec)
        : SceneCaller(gl, base_of(spec.sources, spec.sources.size())) {}
    /// Buffers have room for what the call needs, and no more.
    SceneCaller(const GladGLContext& gl, const SceneSpec& spec, const std::vector<Filled>& contents,
                const std::vector<std::uint32_t>& counts)
        : SceneCaller(gl, most_items(spec, counts)) {
        for (std::size_t i = 0; i < contents.size(); ++i) {
            SceneArguments::Source source;
            Words data{0, 0};
            for (std::size_t j = 0; j < most_elements(spec.sources[i], counts[i]); ++j)
                data.insert(data.end(), {contents[i].weights[j], contents[i].tags[j], 0});
            // The stride of the last element is cut.
            if (data.size() > 2) data.pop_back();
            source.inputs = {{buffer(data), 4}};
            if (spec.sources[i].gpu_count)
                source.gpu_count = {buffer({7, counts[i]}), 4};
            else
                source.count = counts[i];
            arguments.sources.push_back(std::move(source));
        }
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

    /// A new buffer of the caller.
    GLuint buffer(const Words& words) {
        GLuint name = 0;
        gl_.GenBuffers(1, &name);
        gl_.BindBuffer(GL_COPY_WRITE_BUFFER, name);
        gl_.BufferData(GL_COPY_WRITE_BUFFER, static_cast<GLsizeiptr>(4 * words.size()), words.data(), GL_DYNAMIC_COPY);
        gl_.BindBuffer(GL_COPY_WRITE_BUFFER, 0);
        names_.push_back(name);
        return name;
    }

    SceneArguments arguments;

  private:
    static constexpr std::uint32_t mark = 0x2e262799u;

    SceneCaller(const GladGLContext& gl, std::uint32_t items) : gl_(gl), items_(items) {
        arguments.order = {buffer(Words(std::size_t{items_} + 2, mark)), 4};
    }

    static std::uint32_t most_elements(const SceneSource& source, std::uint32_t count) {
        return source.gpu_count ? source.capacity : std::min(count, source.capacity);
    }
    static std::uint32_t most_items(const SceneSpec& spec, const std::vector<std::uint32_t>& counts) {
        std::uint32_t items = 0;
        for (std::size_t i = 0; i < counts.size(); ++i)
            items += most_elements(spec.sources[i], counts[i]);
        return items;
    }

    const GladGLContext& gl_;
    std::vector<GLuint> names_;
    std::uint32_t items_ = 0;
};

/// The message of the Error that a sort of `arguments` throws. The call runs in an unusual state, and must not change
/// the state. `contents` reads all that a call of the sorter writes, and must return equal words after the call. The
/// last successful call had other arguments, so that a sort would write other words.
template <class Contents>
std::string refusal_of(TestContext& context, SceneSorter& sorter, const SceneArguments& arguments,
                       const Contents& contents) {
    const GladGLContext& gl = context.gl();
    static std::uint64_t turn = run_seed();
    const Words before = contents();
    std::string message;
    std::string changes;
    {
        const DirtyState dirty(gl, ++turn);
        const StateSnapshot state = take_snapshot(gl);
        message = error_of([&] { sorter.sort(arguments); });
        for (const std::string& line : diff(state, take_snapshot(gl)))
            changes += "\n" + line;
    }
    INFO("message: " << message);
    CHECK(changes == "");
    CHECK(difference(before, contents(), "what calls write") == "");
    return message;
}

}  // namespace glsort::test
